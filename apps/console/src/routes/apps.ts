import { setTimeout as delay } from 'node:timers/promises';
import { BRIEF_MS, generateKey } from '@pushfleet/store';
import { Router } from 'express';
import { z } from 'zod';
import { appChangeSchema, newApp, newAppSchema, withChange } from '../app-input';
import { parse } from '../http/parse';
import { Problem } from '../http/problem';
import type { ConsolePorts } from '../ports';
import { purgeView } from '../purge-view';
import { noApp, refusePurged, requireApp } from '../require-app';

/** By then every process has forgotten the keys of the app. */
const FORGOTTEN_MS = BRIEF_MS + 50;

const rotationSchema = z.strictObject({ which: z.enum(['key', 'masterKey']) });

export function appRoutes(ports: ConsolePorts): Router {
  const { apps, purges } = ports.store;
  const router = Router();

  router.post('/apps', async (req, res) => {
    const app = newApp(parse(newAppSchema, req.body));
    if (!(await apps.create(app))) {
      await refusePurged(ports.store, app.id);
      throw new Problem('conflict', `an app with the id ${app.id} exists`);
    }
    res.status(201).json(app);
  });

  router.get('/apps', async (_req, res) => {
    const list = [...(await apps.list())];
    list.sort((a, b) => (a.id < b.id ? -1 : 1));
    const purging = Array.from(await purges.list(), ([id, purge]) => ({ id, purge: purgeView(purge) }));
    res.json({ results: list, ...(purging.length > 0 ? { purging } : {}) });
  });

  router.get('/apps/:id', async (req, res) => {
    const { id } = req.params;
    const purge = (await apps.get(id)) ? undefined : await purges.get(id);
    res.json(purge ? { id, purge: purgeView(purge) } : await requireApp(ports, id));
  });

  router.patch('/apps/:id', async (req, res) => {
    const { id } = await requireApp(ports, req.params.id);
    const change = parse(appChangeSchema, req.body);
    res.json((await apps.update(id, (app) => withChange(app, change))) ?? noApp(id));
  });

  router.delete('/apps/:id', async (req, res) => {
    const { id } = req.params;
    // No key is opened for it: an app whose keys nobody can open can be deleted, too.
    if (await apps.remove(id)) await delay(FORGOTTEN_MS);
    const purge = (await purges.get(id)) ?? noApp(id);
    res.json({ purge: purgeView(purge) });
  });

  router.post('/apps/:id/keys', async (req, res) => {
    const { id } = await requireApp(ports, req.params.id);
    const { which } = parse(rotationSchema, req.body);
    res.json((await apps.update(id, (app) => ({ ...app, [which]: generateKey() }))) ?? noApp(id));
  });

  return router;
}
