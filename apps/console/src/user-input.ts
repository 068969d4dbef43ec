import { randomBytes } from 'node:crypto';
import {
  clientIdSchema,
  clientSchema,
  macTokenSchema,
  userIdSchema,
  userSchema,
  type AddedToken,
  type Client,
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
});

const namedUserSchema = newUserSchema.extend({ user_id: userIdSchema.optional() });
const namedClientSchema = clientSchema.extend({ client_id: clientIdSchema.optional() });

export interface Grant {
  readonly userId: string;
  readonly clientId: string;
}

const userPathSchema = z.object({ userId: userIdSchema });
const grantPathSchema = z.object({ userId: userIdSchema, clientId: clientIdSchema });

export const userIdOf = (params: unknown): string => parse(userPathSchema, params).userId;

export const grantOf = (params: unknown): Grant => parse(grantPathSchema, params);

export function readUser(userId: string, body: unknown): User {
  const { user_id: named, ...profile } = parse(namedUserSchema, body);
  if (named !== undefined && named !== userId) throw otherId('user_id');
  return { ...profile, user_id: userId };
}

export function readClient(clientId: string, body: unknown): Client {
  const { client_id: named, name } = parse(namedClientSchema, body);
  if (named !== undefined && named !== clientId) throw otherId('client_id');
  return { client_id: clientId, name };
}

const otherId = (path: string): Problem => invalidFields([{ path, message: 'must be the one of the address' }]);

const freshTokenSchema = z.strictObject({ mac_algorithm: macTokenSchema.shape.mac_algorithm });

/** Without access token and key a new token is issued; a given one is kept byte for byte, as clients hold it. */
export function readToken(grant: Grant, body: unknown = {}): NewMacToken {
  const fresh = freshTokenSchema.safeParse(body);
  if (fresh.success) return { ...grant, ...generated(), macAlgorithm: fresh.data.mac_algorithm };
  return tokenOf(grant, parse(macTokenSchema, body));
}

export function tokenOf(
  grant: Grant,
  { access_token: accessToken, kid, mac_key: macKey, mac_algorithm: macAlgorithm }: z.output<typeof macTokenSchema>,
): NewMacToken {
  return { ...grant, accessToken, kid, macKey, macAlgorithm };
}

/** In the form that clients know: `1/` and base64url text; a key of 32 characters. */
const generated = (): { accessToken: string; macKey: string } => ({
  accessToken: `1/${randomBytes(48).toString('base64url')}`,
  macKey: randomBytes(24).toString('base64url'),
});

/** User Information API, MAC token. Tokens do not expire by time. */
export const tokenView = ({ accessToken, kid = accessToken, macKey, macAlgorithm }: NewMacToken): object => ({
  kid,
  access_token: accessToken,
  token_type: 'mac',
  mac_key: macKey,
  mac_algorithm: macAlgorithm,
  expire_in: '0',
});

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
