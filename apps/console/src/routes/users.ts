import { jsonAnswer } from '@pushfleet/http-edge';
import { z } from 'zod';
import { act, get, mark, post, put, remove, type AdminRoute } from '../http/admin-route';
import { cursorLike } from '../http/page-range';
import { parse } from '../http/parse';
import { Problem } from '../http/problem';
import type { ConsolePorts } from '../ports';
import {
  grantOf,
  isCreating,
  listCursorOf,
  listedTokenView,
  readToken,
  readUser,
  taken,
  tokenProblem,
  tokenView,
  userIdOf,
} from '../user-input';

const USER = '/users/:userId';
const TOKENS = `${USER}/tokens/:clientId`;
const BLOCK = `${USER}/blocks/:clientId`;

type Ports = Pick<ConsolePorts, 'store'>;

/** Users of the user information API, their tokens and blocks. */
export function userRoutes({ store }: Ports): readonly AdminRoute[] {
  const { users } = store;
  return [
    get('/users', async ({ query }) => jsonAnswer(200, await users.list(listCursorOf(query)))),

    put(USER, async ({ params, query, body }) => {
      const { user, given } = readUser(userIdOf(params), body);
      if (!isCreating(query)) await users.put(user, given);
      else if (!(await users.create(user, given))) throw taken('user', user.user_id);
      return jsonAnswer(200, { ...user, ...given });
    }),

    get(USER, async ({ params }) => {
      const userId = userIdOf(params);
      const found = await users.get(userId);
      if (!found) throw noUser(userId);
      return jsonAnswer(200, { ...found.user, ...found.given, blocked_clients: found.blockedClients });
    }),

    remove(USER, async ({ params }) => {
      const userId = userIdOf(params);
      if (!(await users.remove(userId))) throw noUser(userId);
      return jsonAnswer(200, {});
    }),

    mark(BLOCK, async ({ params }) => {
      const { userId, clientId } = grantOf(params);
      await requireClient(store, clientId);
      if (!(await users.block(userId, clientId))) throw noUser(userId);
      return jsonAnswer(200, {});
    }),

    remove(BLOCK, async ({ params }) => {
      const { userId, clientId } = grantOf(params);
      if (!(await users.unblock(userId, clientId))) throw noUser(userId);
      return jsonAnswer(200, {});
    }),
  ];
}

export function tokenRoutes({ store }: Ports): readonly AdminRoute[] {
  const { macTokens } = store;
  return [
    get(`${USER}/tokens`, async ({ params, query }) => {
      const userId = userIdOf(params);
      const { cursor } = parse(tokenPageSchema, query);
      if (!(await store.users.get(userId))) throw noUser(userId);
      const { results, ...page } = await macTokens.list(userId, cursor);
      return jsonAnswer(200, { results: results.map(listedTokenView), ...page });
    }),

    post(TOKENS, async ({ params, body }) => {
      const { userId, clientId } = grantOf(params);
      const token = readToken({ userId, clientId }, body);
      await requireClient(store, clientId);
      const added = await macTokens.add(token);
      if (added !== 'added') throw tokenProblem(added);
      return jsonAnswer(201, tokenView(token));
    }),

    remove(TOKENS, async ({ params }) => {
      const { userId, clientId } = grantOf(params);
      return jsonAnswer(200, { invalidated: (await macTokens.revoke(userId, clientId)) ?? missing(userId) });
    }),

    act(`${USER}/security-change`, async ({ params }) => {
      const userId = userIdOf(params);
      return jsonAnswer(200, { invalidated: (await macTokens.recordSecurityChange(userId)) ?? missing(userId) });
    }),
  ];
}

const tokenPageSchema = z.strictObject({ cursor: cursorLike(/^\d{1,20}$/) });

const noUser = (userId: string): Problem => new Problem('not-found', `there is no user ${JSON.stringify(userId)}`);

function missing(userId: string): never {
  throw noUser(userId);
}

async function requireClient({ clients }: Ports['store'], clientId: string): Promise<void> {
  if (!(await clients.has(clientId))) throw new Problem('not-found', `there is no client ${JSON.stringify(clientId)}`);
}
