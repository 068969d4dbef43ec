import { createHmac } from 'node:crypto';
import { isSameSecret } from '@pushfleet/service-kit';
import type { HttpRequest } from '@pushfleet/http-edge';

interface Living {
  /** Of the cookie. */
  readonly name: string;
  /** What cookies are signed with. */
  readonly keys: readonly string[];
  readonly isKnown: (sessionId: string) => Promise<boolean>;
}

/**
 * A sibling host of the domain may plant cookies of the same name, which browsers send as well, perhaps before the right one.
 * Of several, only the first that is signed and has a session is left. Of one session whoever had it may send as many as a head
 * holds: it is looked up once.
 */
export async function leaveLivingCookie({ headers }: HttpRequest, { name, keys, isKnown }: Living): Promise<void> {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const ours = pairs.filter((pair) => pair.startsWith(`${name}=`));
  if (ours.length < 2) return;
  const others = pairs.filter((pair) => !ours.includes(pair));
  const asked = new Set<string>();
  const living = await firstOf(ours, async (pair) => {
    const id = signedIdIn(pair.slice(name.length + 1), keys);
    if (id === undefined || asked.has(id)) return false;
    asked.add(id);
    return isKnown(id);
  });
  headers.cookie = [...others, ...(living === undefined ? [] : [living])].join('; ');
}

async function firstOf<T>(list: readonly T[], isIt: (one: T) => Promise<boolean>): Promise<T | undefined> {
  for (const one of list) if (await isIt(one)) return one;
  return undefined;
}

/** As express-session signs: `s:`, the id, a dot, and the digest of the id without padding. */
function signedIdIn(value: string, keys: readonly string[]): string | undefined {
  const [, id = '', signature = ''] = /^s(?::|%3A)([\w-]+)\.(.+)$/i.exec(value) ?? [];
  const isSigned = keys.some((key) => isSameSecret(decoded(signature), signatureOf(id, key)));
  return isSigned ? id : undefined;
}

const signatureOf = (id: string, key: string): string =>
  createHmac('sha256', key).update(id).digest('base64').replace(/=+$/, '');

/** What is no encoding of a text is no signature. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return '';
    throw error;
  }
}
