import { clientIdSchema } from '@pushfleet/store';
import { Router } from 'express';
import { z } from 'zod';
import { parse } from '../http/parse';
import { Problem } from '../http/problem';
import type { ConsolePorts } from '../ports';
import { readClient } from '../user-input';

const CLIENT = '/clients/:clientId';
const paramsSchema = z.object({ clientId: clientIdSchema });

/** Clients of the user information API: the apps that users let in. */
export function clientRoutes({ store }: Pick<ConsolePorts, 'store'>): Router {
  const { clients } = store;
  const router = Router();

  router.put(CLIENT, async (req, res) => {
    const { clientId } = parse(paramsSchema, req.params);
    const client = readClient(clientId, req.body, await clients.get(clientId));
    await clients.put(client);
    res.json(client);
  });

  router.get(CLIENT, async (req, res) => {
    const { clientId } = parse(paramsSchema, req.params);
    res.json((await clients.get(clientId)) ?? missing(clientId));
  });

  router.delete(CLIENT, async (req, res) => {
    const { clientId } = parse(paramsSchema, req.params);
    if (!(await clients.remove(clientId))) missing(clientId);
    res.json({});
  });

  return router;
}

function missing(clientId: string): never {
  throw new Problem('not-found', `there is no client ${JSON.stringify(clientId)}`);
}
