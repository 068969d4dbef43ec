import { jsonAnswer } from '@pushfleet/http-edge';
import { LONG, post, type AdminRoute } from '../http/admin-route';
import { parse } from '../http/parse';
import { importSchema, importUsers } from '../import-users';
import type { ConsolePorts } from '../ports';

/** Many users and tokens at once; the answer tells about each, in the order given. */
export const userImportRoutes = (ports: Pick<ConsolePorts, 'store'>): readonly AdminRoute[] => [
  post(
    '/imports/users',
    async ({ body }) => jsonAnswer(200, { results: await importUsers(ports, parse(importSchema, body).lines) }),
    LONG,
  ),
];
