import { randomUUID } from 'node:crypto';
import type { AccessToken, TokenStore } from '@pushfleet/domain';
import { deleteSame } from '../kit/compare';
import type { AccountParts } from './account-parts';
import { accessTokenContext } from './secret-contexts';
import { isUnreadableSecret, type SecretBox } from '../kit/sealed-text';

/** Vendors' access tokens, sealed, shared by every process of the fleet. */
export function openAccessTokens({ redis, keys, secrets, now }: AccountParts): TokenStore {
  const read = async (key: string): Promise<{ sealed: string; token: AccessToken } | undefined> => {
    const sealed = await redis.get(keys.accessToken(key));
    const text = sealed === null ? undefined : await openIfReadable(secrets, sealed, key);
    if (sealed === null || text === undefined) return undefined;
    return { sealed, token: JSON.parse(text) as AccessToken };
  };
  return {
    read: async (key) => (await read(key))?.token,
    async write(key, token) {
      const lifeMs = Math.max(1, Math.floor(token.expiresAt - now()));
      const sealed = await secrets.seal(JSON.stringify(token), accessTokenContext(key));
      await redis.set(keys.accessToken(key), sealed, 'PX', lifeMs);
    },
    async drop(key, value) {
      const found = await read(key);
      if (found?.token.value === value) await deleteSame(redis, { name: keys.accessToken(key), text: found.sealed });
    },
    async claim(key, ms) {
      const claim = randomUUID();
      return (await redis.set(keys.accessTokenClaim(key), claim, 'PX', ms, 'NX')) === 'OK' ? claim : undefined;
    },
    release: async (key, claim) => void (await deleteSame(redis, { name: keys.accessTokenClaim(key), text: claim })),
  };
}

/** A token that cannot be opened counts as missing, and the channel asks its vendor for a new one. */
async function openIfReadable(secrets: SecretBox, sealed: string, key: string): Promise<string | undefined> {
  try {
    return await secrets.open(sealed, accessTokenContext(key));
  } catch (error) {
    if (isUnreadableSecret(error)) return undefined;
    throw error;
  }
}
