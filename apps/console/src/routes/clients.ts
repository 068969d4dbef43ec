import { jsonAnswer } from '@pushfleet/http-edge';
import { clientIdSchema } from '@pushfleet/store';
import { z } from 'zod';
import { get, put, remove, type AdminRoute } from '../http/admin-route';
import { parse } from '../http/parse';
import { Problem } from '../http/problem';
import type { ConsolePorts } from '../ports';
import { isCreating, listCursorOf, readClient, taken } from '../user-input';

const CLIENT = '/clients/:clientId';
const paramsSchema = z.object({ clientId: clientIdSchema });

/** Clients of the user information API: the apps that users let in. */
export const clientRoutes = ({ store: { clients } }: Pick<ConsolePorts, 'store'>): readonly AdminRoute[] => [
  get('/clients', async ({ query }) => jsonAnswer(200, await clients.list(listCursorOf(query)))),

  put(CLIENT, async ({ params, query, body }) => {
    const { clientId } = parse(paramsSchema, params);
    const isNew = isCreating(query);
    const client = readClient(clientId, body, isNew ? undefined : await clients.get(clientId));
    if (!isNew) await clients.put(client);
    else if (!(await clients.create(client))) throw taken('client', clientId);
    return jsonAnswer(200, client);
  }),

  get(CLIENT, async ({ params }) => {
    const { clientId } = parse(paramsSchema, params);
    return jsonAnswer(200, (await clients.get(clientId)) ?? missing(clientId));
  }),

  remove(CLIENT, async ({ params }) => {
    const { clientId } = parse(paramsSchema, params);
    if (!(await clients.remove(clientId))) missing(clientId);
    return jsonAnswer(200, {});
  }),
];

function missing(clientId: string): never {
  throw new Problem('not-found', `there is no client ${JSON.stringify(clientId)}`);
}
