import { DAY_MS } from '@pushfleet/domain';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { UserKeys } from './keys';
import { isDone, luaScript } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';
import type { GivenAccountIds } from './account-ids';
import { damagedRecord, readableOf, recordIn } from '../kit/damaged-record';
import { ownersLike, type Listed } from './listed';

/** A brace would end the hash tag of the keys, and a path that ends in `.` or `..` is another path. */
export const userIdSchema = z
  .string()
  .regex(/^(?!\.{1,2}$)[!-z|~]{1,128}$/, 'must be 1 to 128 visible ASCII characters, no braces, and neither . nor ..');

/** In the spelling of the wire (User Information API, User information). */
export const userSchema = z.strictObject({
  user_id: userIdSchema.describe('Unique identifier of the user.'),
  name: z.string().max(256).describe('Name of the user.'),
  avatar: z.string().max(2048).describe('Address of the avatar image; empty when there is none.'),
  gender: z.literal([0, 1, 2]).describe('0 unknown, 1 male, 2 female.'),
  is_guest: z.boolean().describe('Whether the user is a guest; deprecated.'),
});

export type User = z.output<typeof userSchema>;

export interface UserWithBlocks {
  readonly user: User;
  /** Clients that may not read this user, sorted. */
  readonly blockedClients: readonly string[];
  /** Ids that were given for this user. Ids for other clients and developers are made on demand. */
  readonly given: Required<GivenAccountIds>;
}

export interface UserStore {
  /** Creates a user or replaces the profile; tokens, blocks and given ids stay. */
  put(user: User, given?: GivenAccountIds): Promise<void>;
  /** False, and nothing changed, when there is such a user. */
  create(user: User, given?: GivenAccountIds): Promise<boolean>;
  get(userId: string): Promise<UserWithBlocks | undefined>;
  /** Some of all, in no order. */
  list(cursor?: string): Promise<Listed<User>>;
  /** False when there is no such user. A user who is created under the same id later does not inherit the tokens. */
  remove(userId: string): Promise<boolean>;
  /** False when there is no such user. */
  block(userId: string, clientId: string): Promise<boolean>;
  /** False when there is no such user. */
  unblock(userId: string, clientId: string): Promise<boolean>;
}

/** Fields that every user may have. */
const USER = {
  profile: 'profile',
  /** Changes whenever all tokens become invalid. */
  epoch: 'epoch',
  /** All of a user in one field, since the developer is known only when the client was read beside the user. */
  unionids: 'unionids',
} as const;

/** The same for scripts. */
export const USER_NAMES = { USER } as const;

/** Fields of a user's hash; whatever decides over a token stands in this one hash, so that it changes in one step. */
export const USER_FIELDS = {
  ...USER,
  /** Changes whenever the tokens of one client become invalid; absent until then. */
  grant: (clientId: string): string => `grant:${clientId}`,
  blocked: (clientId: string): string => `blocked:${clientId}`,
  openid: (clientId: string): string => `openid:${clientId}`,
} as const;

const BLOCKED_PREFIX = USER_FIELDS.blocked('');
const OPENID_PREFIX = USER_FIELDS.openid('');

const putUser = luaScript('users/put-user', {
  params: { user: 'key', profile: 'text', epoch: 'text', unionids: 'text', create: 'text', fields: 'texts' },
  constants: USER_NAMES,
  answer: isDone,
});

const changeUser = luaScript('users/change-user', {
  params: { user: 'key', field: 'text', value: 'text' },
  answer: isDone,
});

const removeUser = luaScript('users/remove-user', {
  params: { user: 'key', tokens: 'key' },
  answer: (digests: readonly string[] | null) => digests,
});

/** How long a token that has become invalid is still known, so that an import does not bring it back. */
const INVALID_TOKEN_KEPT_MS = 30 * DAY_MS;

export function openUsers({ redis, keys }: { redis: RedisClient; keys: UserKeys }): UserStore {
  const change = (userId: string, field: string, value: string): Promise<boolean> =>
    changeUser(redis, { user: keys.user(userId), field, value });
  const write = (user: User, create: '' | '1', { openids = {}, unionids = {} }: GivenAccountIds = {}) => {
    const fields = Object.entries(openids).flatMap(([clientId, openid]) => [USER_FIELDS.openid(clientId), openid]);
    const texts = { profile: JSON.stringify(user), epoch: randomUUID(), unionids: JSON.stringify(unionids), create };
    return putUser(redis, { user: keys.user(user.user_id), ...texts, fields });
  };
  return {
    put: async (user, given) => void (await write(user, '', given)),
    create: (user, given) => write(user, '1', given),
    async get(userId) {
      const { profile, unionids = '{}', ...fields } = await redis.hgetall(keys.user(userId));
      if (profile === undefined) return undefined;
      const blocks = Object.keys(fields).filter((field) => field.startsWith(BLOCKED_PREFIX));
      const openids = Object.entries(fields).filter(([field]) => field.startsWith(OPENID_PREFIX));
      return {
        user: ofUser<User>(userId, profile),
        blockedClients: blocks.map((field) => field.slice(BLOCKED_PREFIX.length)).sort(),
        given: {
          openids: Object.fromEntries(openids.map(([field, id]) => [field.slice(OPENID_PREFIX.length), id])),
          unionids: ofUser<Record<string, string>>(userId, unionids),
        },
      };
    },
    async list(cursor) {
      const { results, ...page } = await ownersLike(redis, keys.user('*'), cursor);
      const profileOf = (id: string): Promise<string | null> => redis.hget(keys.user(id), USER_FIELDS.profile);
      const found = await Promise.all(results.map(async (id) => [id, await profileOf(id)] as const));
      return { ...page, ...readableOf(found, (text) => recordIn(text) as User | undefined) };
    },
    async remove(userId) {
      const digests = await removeUser(redis, { user: keys.user(userId), tokens: keys.tokensOf(userId) });
      if (digests === null) return false;
      await letTokensExpire({ redis, keys }, digests);
      return true;
    },
    block: (userId, clientId) => change(userId, USER_FIELDS.blocked(clientId), '1'),
    unblock: (userId, clientId) => change(userId, USER_FIELDS.blocked(clientId), ''),
  };
}

/** What a field of a user's hash says. Throws `UnreadableSecret`, and names the user, where it is damaged. */
export function ofUser<T>(userId: string, text: string): T {
  const stored = recordIn(text);
  if (stored) return stored as T;
  throw damagedRecord(`the user ${JSON.stringify(userId)}`);
}

/** The hash of the user has made the tokens invalid already; this removes them. */
export async function letTokensExpire(
  { redis, keys }: { redis: RedisClient; keys: UserKeys },
  digests: readonly string[],
): Promise<void> {
  await Promise.all(digests.map((digest) => redis.pexpire(keys.macToken(digest), INVALID_TOKEN_KEPT_MS)));
}
