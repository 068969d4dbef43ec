import { Router } from 'express';
import { parse } from '../http/parse';
import { importSchema, importUsers } from '../import-users';
import type { ConsolePorts } from '../ports';

/** Many users and tokens at once; the answer tells about each, in the order given. */
export function userImportRoutes(ports: Pick<ConsolePorts, 'store'>): Router {
  const router = Router();
  router.post('/imports/users', async (req, res) => {
    const { lines } = parse(importSchema, req.body);
    res.json({ results: await importUsers(ports, lines) });
  });
  return router;
}
