import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Encrypts what must not be readable in a dump of Redis. */
export interface SecretBox {
  seal(plain: string): string;
  /** Throws `UnreadableSecret`. */
  open(sealed: string): string;
}

/** A text that was sealed with a key which is not at hand, or was altered. */
export class UnreadableSecret extends Error {
  override readonly name = 'UnreadableSecret';
}

const withoutKey = (): never => {
  throw new Error('this process has no SECRET_KEY: it neither seals nor opens anything');
};

/** Of a process that is given no key. */
export const NO_SECRETS: SecretBox = { seal: withoutKey, open: withoutKey };

const keyId = (key: Buffer): string => createHash('sha256').update(key).digest('base64url').slice(0, 6);

/** AES-256-GCM with `SECRET_KEY`; texts sealed with the previous key can still be opened while rotating. */
export function openSecretBox(current: string, previous?: string): SecretBox {
  const key = Buffer.from(current, 'base64');
  const keys = new Map(
    [previous, current]
      .filter((k) => k !== undefined)
      .map((k) => Buffer.from(k, 'base64'))
      .map((k) => [keyId(k), k]),
  );
  return {
    seal(plain) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return [
        keyId(key),
        iv.toString('base64url'),
        cipher.getAuthTag().toString('base64url'),
        text.toString('base64url'),
      ].join('.');
    },
    open(sealed) {
      const [id = '', iv = '', tag = '', text = ''] = sealed.split('.');
      const found = keys.get(id);
      if (!found)
        throw new UnreadableSecret(
          'a secret was encrypted with another SECRET_KEY; set SECRET_KEY_PREVIOUS to the old key',
        );
      try {
        const decipher = createDecipheriv('aes-256-gcm', found, Buffer.from(iv, 'base64url'), { authTagLength: 16 });
        decipher.setAuthTag(Buffer.from(tag, 'base64url'));
        return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]).toString('utf8');
      } catch (cause) {
        throw new UnreadableSecret('a secret was altered, or encrypted with another SECRET_KEY', { cause });
      }
    },
  };
}
