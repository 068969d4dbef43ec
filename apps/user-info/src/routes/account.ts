import { type Endpoint } from '@pushfleet/http-edge';
import { type AccountIds, type AccountIdStore, type TokenState, type User } from '@pushfleet/store';
import { userAnswer } from '../http/dialect';
import { Refusal } from '../http/problem';
import { type MacCaller, type RequireMac } from '../http/require-mac';
import { requireScope, type Scope } from '../scopes';

/** What the TapSDK of each generation asks; v2 is the document User Information API, the others TapTap OAuth. */
export const ACCOUNT_ROUTES = {
  '/api/v1/user/info': { scopes: ['public_profile'], read: readUser },
  '/account/profile/v1': { scopes: ['public_profile'], read: readProfile },
  '/account/basic-info/v1': { scopes: ['basic_info', 'public_profile'], read: readBasicInfo },
} as const satisfies Record<string, AccountRoute>;

export type AccountPath = keyof typeof ACCOUNT_ROUTES;

interface AccountRoute {
  /** One of them is enough. */
  readonly scopes: readonly Scope[];
  readonly read: (account: Account) => object | Promise<object>;
}

interface Account {
  readonly user: User;
  readonly ids: () => Promise<AccountIds>;
}

export interface AccountPorts {
  readonly requireMac: RequireMac;
  readonly accountIds: AccountIdStore;
  readonly now: () => number;
}

/** What the token that signed the request lets its client see of the user. */
export function accountEndpoint(path: AccountPath, ports: AccountPorts): Endpoint<MacCaller> {
  const { requireMac, accountIds, now } = ports;
  const { scopes, read }: AccountRoute = ACCOUNT_ROUTES[path];
  return {
    route: path,
    admit: requireMac,
    async handle({ caller: { token, state } }) {
      requireScope(token.scope, scopes);
      const user = userOf(state);
      const ids = () => accountIds.of({ userId: token.userId, clientId: token.clientId, ...idsKnownOf(state) });
      return userAnswer(await read({ user, ids }), now());
    },
  };
}

const idsKnownOf = ({ developerId, given }: MacCaller['state']) => ({ developerId, given });

function userOf({ user }: TokenState): User {
  if (user === undefined) throw new Refusal('not_found', 'the user does not exist any more');
  return user;
}

function readUser({ user }: Account): User {
  return user;
}

/** Indexed by the number that the older interface tells. */
const GENDER_WORDS = ['', 'male', 'female'] as const;

async function readProfile({ user: { name, avatar, gender }, ids }: Account): Promise<object> {
  return { name, avatar, gender: GENDER_WORDS[gender], ...(await ids()) };
}

function readBasicInfo({ ids }: Account): Promise<AccountIds> {
  return ids();
}
