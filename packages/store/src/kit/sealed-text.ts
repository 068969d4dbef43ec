import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** What a secret is, whose it is, and where it stands: sealed with it, so that it opens in no other place. */
export interface SecretContext {
  readonly kind: 'app-key' | 'profile' | 'access-token' | 'mac-key' | 'account-key' | 'sentinel';
  readonly owner: string;
  readonly field: string;
}

/** A sealed text that does not open: its key is not at hand, it was sealed for another place, or it or the record around it was altered. */
export class UnreadableSecret extends Error {
  override readonly name: string = 'UnreadableSecret';
}

export const isUnreadableSecret = (error: unknown): error is UnreadableSecret =>
  error instanceof Error && (error.name === 'UnreadableSecret' || error.name === 'WrongSecretKey');

/** Encrypts what must not be readable in a dump of Redis, for the one place where it stands. */
export interface SecretBox {
  seal(plain: string, context: SecretContext): Promise<string>;
  /** Throws `UnreadableSecret`. */
  open(sealed: string, context: SecretContext): Promise<string>;
}

export interface SealingKey {
  /** Stands in every text that was sealed with the key. */
  readonly id: string;
  readonly bytes: Buffer;
}

export function sealingKey(base64: string): SealingKey {
  const bytes = Buffer.from(base64, 'base64');
  return { bytes, id: createHash('sha256').update(bytes).digest('base64url').slice(0, 6) };
}

/** First part of a text that is bound to its place; texts of earlier releases begin with the id of their key. */
const FORMAT = '2';

/** The parts of a sealed text, which is not opened. */
export interface SealedParts {
  readonly keyId: string;
  readonly hasContext: boolean;
  readonly iv: string;
  readonly tag: string;
  readonly text: string;
}

export function partsOf(sealed: string): SealedParts {
  const parts = sealed.split('.');
  const hasContext = parts.length === 5 && parts[0] === FORMAT;
  const [keyId = '', iv = '', tag = '', text = ''] = hasContext ? parts.slice(1) : parts;
  return { keyId, hasContext, iv, tag, text };
}

const authenticated = (keyId: string, { kind, owner, field }: SecretContext): Buffer =>
  Buffer.from(JSON.stringify(['pushfleet', FORMAT, keyId, kind, owner, field]));

/** AES-256-GCM. Earlier releases read texts without a context. */
export function sealText(
  { id, bytes }: SealingKey,
  { plain, context, iv = randomBytes(12) }: { plain: string; context: SecretContext | undefined; iv?: Buffer },
): string {
  const cipher = createCipheriv('aes-256-gcm', bytes, iv);
  if (context) cipher.setAAD(authenticated(id, context));
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  const parts = [id, ...[iv, cipher.getAuthTag(), text].map((part) => part.toString('base64url'))];
  return (context ? [FORMAT, ...parts] : parts).join('.');
}

/** Throws `UnreadableSecret`. */
export function openText({ id, bytes }: SealingKey, sealed: string, context: SecretContext): string {
  const { hasContext, iv, tag, text } = partsOf(sealed);
  try {
    const decipher = createDecipheriv('aes-256-gcm', bytes, Buffer.from(iv, 'base64url'), { authTagLength: 16 });
    if (hasContext) decipher.setAAD(authenticated(id, context));
    decipher.setAuthTag(Buffer.from(tag, 'base64url'));
    return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]).toString('utf8');
  } catch (cause) {
    throw new UnreadableSecret('a secret was altered, or sealed for another place or with another SECRET_KEY', {
      cause,
    });
  }
}
