import { hash, randomUUID } from 'node:crypto';
import { BoundedMap } from '@pushfleet/domain';
import { z } from 'zod';
import type { UserKeys } from './keys';
import { luaScript } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';
import { macKeyContext } from './secret-contexts';
import type { SecretContext, SecretBox } from '../kit/sealed-text';
import type { Listed } from './listed';
import { stateOf, type TokenState } from './mac-token-state';
import { macTokenIn, type StoredMacToken, type StoredText } from './stored-mac-token';
import { letTokensExpire, USER_FIELDS, USER_NAMES } from './users';

/** What the MAC header can carry: printable ASCII without quotation mark and backslash. */
const plainText = (max: number) =>
  z
    .string()
    .regex(new RegExp(`^[!#-[\\]-~]{8,${max}}$`), `must be 8 to ${max} visible ASCII characters without " and \\`);

/** The scope of a token that names none: tokens of TapSDK v2 had no scopes and could read everything. */
export const DEFAULT_SCOPE = 'public_profile';

/** A token as the login issued it (User Information API, MAC token); its key is kept byte for byte. */
export const macTokenSchema = z.strictObject({
  kid: plainText(2048).optional(),
  access_token: plainText(2048),
  token_type: z.literal('mac').default('mac'),
  mac_key: z.string().min(8).max(256),
  mac_algorithm: z.enum(['hmac-sha-1', 'hmac-sha-256']).default('hmac-sha-1'),
  /** Words such as `public_profile basic_info`, apart by spaces or commas; absent: `public_profile`. */
  scope: z
    .string()
    .regex(/^[A-Za-z0-9_.:-]+(?:[ ,]+[A-Za-z0-9_.:-]+)*$/, 'must be words of letters, digits and _ . : -')
    .max(256)
    .optional(),
  /** Returned as it was given; the token does not end by it. */
  expire_in: z.string().max(32).optional(),
});

export interface NewMacToken {
  readonly userId: string;
  readonly clientId: string;
  readonly accessToken: string;
  /** Another name for the key, where it differs from the access token. */
  readonly kid?: string | undefined;
  readonly macKey: string;
  readonly macAlgorithm: 'hmac-sha-1' | 'hmac-sha-256';
  readonly scope?: string | undefined;
  readonly expireIn?: string | undefined;
}

/** `taken`: the access token or key id belongs to another token. `invalid`: this very token was made invalid before. */
export type AddedToken = 'added' | 'no-user' | 'taken' | 'invalid';

/** What may be shown of a token: neither its text nor its key. */
export interface ListedToken extends Pick<StoredMacToken, 'clientId' | 'macAlgorithm' | 'scope'> {
  /** The first characters of the digest of its text. */
  readonly id: string;
  /** As it was given. */
  readonly expireIn?: string;
}

export interface MacTokenStore {
  /** Adds a token, or replaces the key of the same token. */
  add(token: NewMacToken): Promise<AddedToken>;
  /** The valid ones of a user, some at a time. */
  list(userId: string, cursor?: string): Promise<Listed<ListedToken>>;
  /** By access token or key id. An unknown token takes as long as a known one. */
  find(id: string): Promise<StoredMacToken | undefined>;
  /** Read from Redis each time: every replica sees a change at once. */
  stateOf(token: StoredMacToken): Promise<TokenState>;
  /** The user takes back the authorization of a client: resolves with how many tokens went, `undefined` without user. */
  revoke(userId: string, clientId: string): Promise<number | undefined>;
  /** The user changed own security-related account information: every token of the user goes. */
  recordSecurityChange(userId: string): Promise<number | undefined>;
}

const digestOf = (id: string): string => hash('sha256', id, 'base64url');

type Bond = Pick<StoredMacToken, 'epoch' | 'grant'>;

const bindToken = luaScript('users/bind-token', {
  params: {
    user: 'key',
    tokens: 'key',
    grantField: 'text',
    epoch: 'text',
    grant: 'text',
    client: 'text',
    digests: 'texts',
  },
  constants: USER_NAMES,
  answer: (bound: number | readonly [epoch: string, grant: string]): Bond | 'no-user' | 'invalid' => {
    if (typeof bound === 'number') return bound === 0 ? 'no-user' : 'invalid';
    const [epoch, grant] = bound;
    return { epoch, grant };
  },
});

const invalidateTokens = luaScript('users/invalidate-tokens', {
  params: { user: 'key', tokens: 'key', field: 'text', epoch: 'text', client: 'text' },
  answer: (gone: readonly string[] | null) => gone ?? undefined,
});

interface Parts {
  readonly redis: RedisClient;
  readonly keys: UserKeys;
  readonly secrets: SecretBox;
}

export function openMacTokens(parts: Parts): MacTokenStore {
  const { redis, keys, secrets } = parts;
  const open = rememberOpened(secrets);
  let decoy: string | undefined;
  return {
    add: (token) => add(parts, token),
    async find(id) {
      const known = macTokenIn(await redis.get(keys.macToken(digestOf(id))));
      decoy ??= await sealDecoy(secrets);
      const { sealedKey, kid: _, ...token } = known ?? (JSON.parse(decoy) as StoredText);
      const macKey = await open(sealedKey, macKeyContext(token));
      return known && { ...token, macKey };
    },
    list: (userId, cursor) => listTokens(parts, userId, cursor),
    stateOf: (token) => stateOf(parts, token),
    revoke: (userId, clientId) => invalidate(parts, userId, { field: USER_FIELDS.grant(clientId), clientId }),
    recordSecurityChange: (userId) => invalidate(parts, userId, { field: USER_FIELDS.epoch, clientId: '' }),
  };
}

/** A sealed text to open for an unknown token, so that the answer takes as long as for a known one. */
async function sealDecoy(secrets: SecretBox): Promise<string> {
  const nobody = { id: '', userId: '', clientId: '' };
  const sealedKey = await secrets.seal('no access token has this key', macKeyContext(nobody));
  return JSON.stringify({ ...nobody, sealedKey });
}

const MAX_OPENED = 10_000;

/** Opening a key costs more than the rest of a look-up. The same text always opens to the same key. */
function rememberOpened(secrets: SecretBox): SecretBox['open'] {
  const opened = new BoundedMap<string, string>(MAX_OPENED);
  return async (sealed, context) => {
    const name = nameOf(sealed, context);
    const hit = opened.get(name);
    if (hit !== undefined) return hit;
    const plain = await secrets.open(sealed, context);
    opened.set(name, plain);
    return plain;
  };
}

const nameOf = (sealed: string, { owner, field }: SecretContext): string => JSON.stringify([sealed, owner, field]);

async function add(parts: Parts, token: NewMacToken): Promise<AddedToken> {
  const { redis, keys, secrets } = parts;
  const { userId, clientId, accessToken, kid = accessToken, macKey, macAlgorithm, scope, expireIn } = token;
  const id = digestOf(accessToken);
  const digests = [...new Set([id, digestOf(kid)])];
  const known = await readAll(parts, digests);
  const isSame = (other: StoredText) => other.id === id && other.userId === userId && other.clientId === clientId;
  if (!known.every(isSame)) return 'taken';
  const bound = await bind(parts, token, { digests, before: known[0] });
  if (typeof bound === 'string') return bound;
  const sealedKey = await secrets.seal(macKey, macKeyContext({ id, userId, clientId }));
  const told = { id, userId, clientId, macAlgorithm, scope, expireIn, kid: digestOf(kid) };
  const text = JSON.stringify({ ...told, ...bound, sealedKey });
  await Promise.all(digests.map((digest) => redis.set(keys.macToken(digest), text)));
  await Promise.all(known.map(({ kid: former }) => forgetFormer(parts, { userId, former, digests })));
  return 'added';
}

/** The key id by which a token went before it was added again with another one. */
async function forgetFormer(
  { redis, keys }: Parts,
  { userId, former, digests }: Pick<StoredText, 'userId'> & Former,
): Promise<void> {
  if (former === undefined || digests.includes(former)) return;
  await Promise.all([redis.del(keys.macToken(former)), redis.hdel(keys.tokensOf(userId), former)]);
}

interface Former {
  readonly former: string | undefined;
  /** Of the names that it has now. */
  readonly digests: readonly string[];
}

function bind(
  { redis, keys }: Parts,
  { userId, clientId }: NewMacToken,
  { digests, before = { epoch: '', grant: '' } }: { digests: readonly string[]; before: Bond | undefined },
): Promise<Bond | 'no-user' | 'invalid'> {
  return bindToken(redis, {
    user: keys.user(userId),
    tokens: keys.tokensOf(userId),
    grantField: USER_FIELDS.grant(clientId),
    epoch: before.epoch,
    grant: before.grant,
    client: clientId,
    digests,
  });
}

async function readAll({ redis, keys }: Parts, digests: readonly string[]): Promise<readonly StoredText[]> {
  const texts = await Promise.all(digests.map((digest) => redis.get(keys.macToken(digest))));
  return texts.flatMap((text) => macTokenIn(text) ?? []);
}

const LISTED_AT_ONCE = 100;
const SHOWN_OF_DIGEST = 12;

async function listTokens({ redis, keys }: Parts, userId: string, cursor = '0'): Promise<Listed<ListedToken>> {
  const [next, flat] = await redis.hscan(keys.tokensOf(userId), cursor, 'COUNT', LISTED_AT_ONCE);
  const digests = flat.filter((_, i) => i % 2 === 0);
  const texts = await Promise.all(digests.map((digest) => redis.get(keys.macToken(digest))));
  // A key id of its own is another name for the token.
  const named = digests.flatMap((digest, i) => {
    const token = macTokenIn(texts[i]);
    return token?.id === digest ? [token] : [];
  });
  const results = named.map(({ id, clientId, macAlgorithm, scope, expireIn }) => {
    const given = { ...(scope === undefined ? {} : { scope }), ...(expireIn === undefined ? {} : { expireIn }) };
    return { id: id.slice(0, SHOWN_OF_DIGEST), clientId, macAlgorithm, ...given };
  });
  return { results, ...(next === '0' ? {} : { cursor: next }) };
}

async function invalidate(
  { redis, keys }: Parts,
  userId: string,
  { field, clientId }: { readonly field: string; readonly clientId: string },
): Promise<number | undefined> {
  const digests = await invalidateTokens(redis, {
    user: keys.user(userId),
    tokens: keys.tokensOf(userId),
    field,
    epoch: randomUUID(),
    client: clientId,
  });
  if (digests) await letTokensExpire({ redis, keys }, digests);
  return digests?.length;
}
