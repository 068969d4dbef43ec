import type { RedisClient } from '../kit/redis';
import type { AccountIds } from './account-ids';
import { decodeClient, DEFAULT_DEVELOPER } from './clients';
import type { UserKeys } from './keys';
import type { StoredMacToken } from './stored-mac-token';
import { ofUser, USER_FIELDS, type User } from './users';

export interface TokenState {
  /** False once the authorization was revoked or the user's security changed. */
  readonly isCurrent: boolean;
  readonly isBlocked: boolean;
  readonly hasClient: boolean;
  /** Of the client. */
  readonly developerId: string;
  /** Ids that were given for this user, client and developer. */
  readonly given: Partial<AccountIds>;
  /** Absent when the user was removed. */
  readonly user: User | undefined;
}

interface Parts {
  readonly redis: RedisClient;
  readonly keys: UserKeys;
}

export async function stateOf(
  { redis, keys }: Parts,
  { userId, clientId, epoch, grant }: StoredMacToken,
): Promise<TokenState> {
  const { profile: profileField, epoch: epochField, unionids: unionidsField } = USER_FIELDS;
  const ofClient = [USER_FIELDS.grant(clientId), USER_FIELDS.blocked(clientId), USER_FIELDS.openid(clientId)];
  const [[profile, epochNow, grantNow, blocked, openid, unionids], client] = await Promise.all([
    redis.hmget(keys.user(userId), profileField, epochField, ...ofClient, unionidsField),
    redis.get(keys.client(clientId)),
  ]);
  const isGone = typeof profile !== 'string';
  const developerId = client === null ? DEFAULT_DEVELOPER : decodeClient(clientId, client).developer_id;
  return {
    isCurrent: isGone || (epochNow === epoch && (grantNow ?? '') === grant),
    isBlocked: typeof blocked === 'string',
    hasClient: client !== null,
    developerId,
    given: givenIds({ openid, unionid: unionidOf(userId, { unionids, developerId }) }),
    user: isGone ? undefined : ofUser<User>(userId, profile),
  };
}

const unionidOf = (
  userId: string,
  { unionids, developerId }: { readonly unionids: string | null | undefined; readonly developerId: string },
): string | undefined =>
  typeof unionids === 'string'
    ? new Map(Object.entries(ofUser<Record<string, string>>(userId, unionids))).get(developerId)
    : undefined;

const givenIds = ({ openid, unionid }: { openid: string | null | undefined; unionid: string | undefined }) => ({
  ...(typeof openid === 'string' ? { openid } : {}),
  ...(unionid === undefined ? {} : { unionid }),
});
