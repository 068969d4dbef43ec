import { randomBytes } from 'node:crypto';
import {
  clientIdSchema,
  clientSchema,
  DEFAULT_DEVELOPER,
  DEFAULT_SCOPE,
  givenAccountIdsSchema,
  isListCursor,
  macTokenSchema,
  userIdSchema,
  userSchema,
  type AddedToken,
  type Client,
  type GivenAccountIds,
  type ListedToken,
  type NewMacToken,
  type User,
} from '@pushfleet/store';
import { z } from 'zod';
import { parse } from './http/parse';
import { invalidFields, Problem, type ProblemKind } from './http/problem';

/** A user as operators write one; what is left out is unknown. */
export const newUserSchema = userSchema.extend({
  avatar: userSchema.shape.avatar.default(''),
  gender: userSchema.shape.gender.default(0),
  is_guest: userSchema.shape.is_guest.default(false),
  ...givenAccountIdsSchema.shape,
});

/** The body of `PUT /users/:userId`, where the address names the user. */
export const userBodySchema = newUserSchema.extend({ user_id: userIdSchema.optional() });
export const clientBodySchema = clientSchema.extend({
  client_id: clientIdSchema.optional(),
  developer_id: clientSchema.shape.developer_id.optional(),
});

export interface Grant {
  readonly userId: string;
  readonly clientId: string;
}

const creatingSchema = z.strictObject({ create: z.literal('1').optional() });

/** Whether what is there already has to stay as it is. */
export const isCreating = (query: unknown): boolean => parse(creatingSchema, query).create === '1';

export const taken = (what: 'user' | 'client', id: string): Problem =>
  new Problem('conflict', `there is a ${what} ${JSON.stringify(id)} already: nothing was changed`, [
    { path: `${what}Id`, message: 'is taken already' },
  ]);

const userPathSchema = z.object({ userId: userIdSchema });
const grantPathSchema = z.object({ userId: userIdSchema, clientId: clientIdSchema });

export const userIdOf = (params: unknown): string => parse(userPathSchema, params).userId;

export const grantOf = (params: unknown): Grant => parse(grantPathSchema, params);

/** A user, and the account ids that the operator gives along. */
export interface NewUser {
  readonly user: User;
  readonly given: GivenAccountIds;
}

export function newUserOf({ openids, unionids, ...user }: z.output<typeof newUserSchema>): NewUser {
  return { user, given: { openids, unionids } };
}

export function readUser(userId: string, body: unknown): NewUser {
  const { user_id: named, ...profile } = parse(userBodySchema, body);
  if (named !== undefined && named !== userId) throw otherId('user_id');
  return newUserOf({ ...profile, user_id: userId });
}

/** A developer that is not named stays, since another one would change every unionid. */
export function readClient(clientId: string, body: unknown, before: Client | undefined): Client {
  const {
    client_id: named,
    name,
    developer_id = before?.developer_id ?? DEFAULT_DEVELOPER,
  } = parse(clientBodySchema, body);
  if (named !== undefined && named !== clientId) throw otherId('client_id');
  return { client_id: clientId, name, developer_id };
}

const otherId = (path: string): Problem => invalidFields([{ path, message: 'must be the one of the address' }]);

/** What may be said of a token that is issued here. */
export const freshTokenSchema = macTokenSchema.pick({ mac_algorithm: true, scope: true, expire_in: true });

/** Without access token and key a new token is issued; a given one is kept byte for byte, as clients hold it. */
export function readToken(grant: Grant, body: unknown = {}): NewMacToken {
  if (isGiven(body)) return tokenOf(grant, parse(macTokenSchema, body));
  const { mac_algorithm: macAlgorithm, scope, expire_in: expireIn } = parse(freshTokenSchema, body);
  return { ...grant, ...generated(), macAlgorithm, scope, expireIn };
}

/** Whether the body names anything that the service chooses for a token of its own. */
const isGiven = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  Object.keys(macTokenSchema.shape).some((field) => !(field in freshTokenSchema.shape) && Object.hasOwn(body, field));

export function tokenOf(grant: Grant, token: z.output<typeof macTokenSchema>): NewMacToken {
  const { access_token: accessToken, kid, mac_key: macKey, mac_algorithm: macAlgorithm } = token;
  return { ...grant, accessToken, kid, macKey, macAlgorithm, scope: token.scope, expireIn: token.expire_in };
}

/** In the form that clients know: `1/` and base64url text; a key of 32 characters. */
const generated = (): { accessToken: string; macKey: string } => ({
  accessToken: `1/${randomBytes(48).toString('base64url')}`,
  macKey: randomBytes(24).toString('base64url'),
});

/** User Information API, MAC token. Tokens do not expire by time; a given `expire_in` is told again and ends nothing. */
export const tokenView = (token: NewMacToken): object => ({
  kid: token.kid ?? token.accessToken,
  access_token: token.accessToken,
  token_type: 'mac',
  mac_key: token.macKey,
  mac_algorithm: token.macAlgorithm,
  scope: token.scope ?? DEFAULT_SCOPE,
  ...(token.expireIn === undefined ? {} : { expire_in: token.expireIn }),
});

/** Of a token that is there already: nothing that signs. */
export const listedTokenView = ({ id, clientId, macAlgorithm, scope, expireIn }: ListedToken): object => ({
  id,
  client_id: clientId,
  mac_algorithm: macAlgorithm,
  scope: scope ?? DEFAULT_SCOPE,
  ...(expireIn === undefined ? {} : { expire_in: expireIn }),
});

const fromListCursor = z.strictObject({
  cursor: z.string().refine(isListCursor, 'is none of this API').optional(),
});

/** Where a page of users or clients begins. */
export const listCursorOf = (query: unknown): string | undefined => parse(fromListCursor, query).cursor;

type NotAdded = Exclude<AddedToken, 'added'>;

const TOKEN_PROBLEMS = {
  'no-user': ['not-found', 'there is no such user'],
  taken: ['conflict', 'the access token or key id belongs to another token'],
  invalid: ['conflict', 'this token was made invalid before: issue a new one'],
} as const satisfies Record<NotAdded, readonly [ProblemKind, string]>;

export function tokenProblem(added: NotAdded): Problem {
  const [kind, message] = TOKEN_PROBLEMS[added];
  return new Problem(kind, message);
}
