import { createHmac, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { UserKeys } from './keys';
import type { RedisClient } from '../kit/redis';
import { ACCOUNT_KEY_CONTEXT } from './secret-contexts';
import type { SecretBox } from '../kit/sealed-text';
import { clientIdSchema } from './clients';

const MAX_GIVEN = 50;

const accountIdSchema = z.string().regex(/^[!-~]{1,128}$/, 'must be 1 to 128 visible ASCII characters');

const givenOf = (what: string) =>
  z
    .record(clientIdSchema, accountIdSchema)
    .refine((ids) => Object.keys(ids).length <= MAX_GIVEN, `at most ${MAX_GIVEN} ${what} at a time`);

/** Ids that another login service gave out; readers hold them as account ids, so they are kept byte for byte. */
export const givenAccountIdsSchema = z.strictObject({
  openids: givenOf('clients').optional().describe('openid by Client ID.'),
  unionids: givenOf('developers').optional().describe('unionid by developer id.'),
});

export type GivenAccountIds = z.output<typeof givenAccountIdsSchema>;

/** How one client knows a user. */
export interface AccountIds {
  /** The same at every look-up by this client; other clients see another id. */
  readonly openid: string;
  /** The same for all clients of one developer. */
  readonly unionid: string;
}

export interface AccountOf {
  readonly userId: string;
  readonly clientId: string;
  readonly developerId: string;
  /** The ids that were given for this client and this developer; they come before ids that are made. */
  readonly given: Partial<AccountIds>;
}

export interface AccountIdStore {
  /** Throws `UnreadableSecret` when the key of the ids cannot be opened: it is never replaced. */
  of(account: AccountOf): Promise<AccountIds>;
}

const KEY_BYTES = 32;
/** 18 bytes. */
const ID_CHARACTERS = 24;

/**
 * Ids are made from a random key of their own, which lives in Redis under seal: a new `SECRET_KEY` changes no account,
 * and a backup carries the ids with it.
 */
export function openAccountIds(parts: { redis: RedisClient; keys: UserKeys; secrets: SecretBox }): AccountIdStore {
  let key: Promise<Buffer> | undefined;
  const keyOnce = (): Promise<Buffer> =>
    (key ??= readKey(parts).catch((error: unknown) => {
      key = undefined;
      throw error;
    }));
  return {
    async of({ userId, clientId, developerId, given: { openid, unionid } }) {
      if (openid !== undefined && unionid !== undefined) return { openid, unionid };
      const secret = await keyOnce();
      return {
        openid: openid ?? idOf(secret, ['openid', clientId, userId]),
        unionid: unionid ?? idOf(secret, ['unionid', developerId, userId]),
      };
    },
  };
}

/** A line feed separates the parts: no part can hold one, so that no two accounts share a text. */
const idOf = (key: Buffer, parts: readonly string[]): string =>
  createHmac('sha256', key).update(parts.join('\n')).digest('base64url').slice(0, ID_CHARACTERS);

async function readKey({ redis, keys, secrets }: { redis: RedisClient; keys: UserKeys; secrets: SecretBox }) {
  const name = keys.accountKey();
  const open = async (sealed: string): Promise<Buffer> =>
    Buffer.from(await secrets.open(sealed, ACCOUNT_KEY_CONTEXT), 'base64');
  const stored = await redis.get(name);
  if (stored !== null) return open(stored);
  const fresh = await secrets.seal(randomBytes(KEY_BYTES).toString('base64'), ACCOUNT_KEY_CONTEXT);
  await redis.set(name, fresh, 'NX');
  return open((await redis.get(name)) ?? '');
}
