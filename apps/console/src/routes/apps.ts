import { generateKey } from '@pushfleet/store';
import { Router } from 'express';
import { z } from 'zod';
import { appChangeSchema, newApp, newAppSchema, withChange } from '../app-input';
import { parse } from '../http/parse';
import { Problem } from '../http/problem';
import type { ConsolePorts } from '../ports';
import { profilesOf } from '../profile-list';
import { noApp, requireApp } from '../require-app';

const rotationSchema = z.strictObject({ which: z.enum(['key', 'masterKey']) });

export function appRoutes(ports: ConsolePorts): Router {
  const { apps } = ports.store;
  const router = Router();

  router.post('/apps', async (req, res) => {
    const app = newApp(parse(newAppSchema, req.body));
    if (!(await apps.create(app))) throw new Problem('conflict', `an app with the id ${app.id} exists`);
    res.status(201).json(app);
  });

  router.get('/apps', async (_req, res) => {
    const list = [...(await apps.list())];
    list.sort((a, b) => (a.id < b.id ? -1 : 1));
    res.json({ results: list });
  });

  router.get('/apps/:id', async (req, res) => {
    res.json(await requireApp(ports, req.params.id));
  });

  router.patch('/apps/:id', async (req, res) => {
    const { id } = await requireApp(ports, req.params.id);
    const change = parse(appChangeSchema, req.body);
    res.json((await apps.update(id, (app) => withChange(app, change))) ?? noApp(id));
  });

  router.delete('/apps/:id', async (req, res) => {
    const { id } = await requireApp(ports, req.params.id);
    await apps.remove(id);
    for (const ref of await profilesOf(ports.store, id)) await ports.store.profiles.remove(ref);
    res.json({});
  });

  router.post('/apps/:id/keys', async (req, res) => {
    const { id } = await requireApp(ports, req.params.id);
    const { which } = parse(rotationSchema, req.body);
    res.json((await apps.update(id, (app) => ({ ...app, [which]: generateKey() }))) ?? noApp(id));
  });

  return router;
}
