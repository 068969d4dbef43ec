import { Router } from 'express';
import { Problem } from '../http/problem';
import type { ConsolePorts } from '../ports';
import { grantOf, readToken, readUser, tokenProblem, tokenView, userIdOf } from '../user-input';

const USER = '/users/:userId';
const TOKENS = `${USER}/tokens/:clientId`;
const BLOCK = `${USER}/blocks/:clientId`;

type Ports = Pick<ConsolePorts, 'store'>;

/** Users of the user information API, their tokens and blocks. */
export function userRoutes({ store }: Ports): Router {
  const { users } = store;
  const router = Router();

  router.put(USER, async (req, res) => {
    const { user, given } = readUser(userIdOf(req.params), req.body);
    await users.put(user, given);
    res.json({ ...user, ...given });
  });

  router.get(USER, async (req, res) => {
    const userId = userIdOf(req.params);
    const found = await users.get(userId);
    if (!found) throw noUser(userId);
    res.json({ ...found.user, ...found.given, blocked_clients: found.blockedClients });
  });

  router.delete(USER, async (req, res) => {
    const userId = userIdOf(req.params);
    if (!(await users.remove(userId))) throw noUser(userId);
    res.json({});
  });

  router.put(BLOCK, async (req, res) => {
    const { userId, clientId } = grantOf(req.params);
    await requireClient(store, clientId);
    if (!(await users.block(userId, clientId))) throw noUser(userId);
    res.json({});
  });

  router.delete(BLOCK, async (req, res) => {
    const { userId, clientId } = grantOf(req.params);
    if (!(await users.unblock(userId, clientId))) throw noUser(userId);
    res.json({});
  });

  return router;
}

export function tokenRoutes({ store }: Ports): Router {
  const { macTokens } = store;
  const router = Router();

  router.post(TOKENS, async (req, res) => {
    const { userId, clientId } = grantOf(req.params);
    const token = readToken({ userId, clientId }, req.body);
    await requireClient(store, clientId);
    const added = await macTokens.add(token);
    if (added !== 'added') throw tokenProblem(added);
    res.status(201).json(tokenView(token));
  });

  router.delete(TOKENS, async (req, res) => {
    const { userId, clientId } = grantOf(req.params);
    res.json({ invalidated: (await macTokens.revoke(userId, clientId)) ?? missing(userId) });
  });

  router.post(`${USER}/security-change`, async (req, res) => {
    const userId = userIdOf(req.params);
    res.json({ invalidated: (await macTokens.recordSecurityChange(userId)) ?? missing(userId) });
  });

  return router;
}

const noUser = (userId: string): Problem => new Problem('not-found', `there is no user ${JSON.stringify(userId)}`);

function missing(userId: string): never {
  throw noUser(userId);
}

async function requireClient({ clients }: Ports['store'], clientId: string): Promise<void> {
  if (!(await clients.has(clientId))) throw new Problem('not-found', `there is no client ${JSON.stringify(clientId)}`);
}
