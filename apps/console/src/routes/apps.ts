import { Router } from 'express';
import { z } from 'zod';
import { appChangeSchema, newApp, newAppSchema, settingsOf, withChange } from '../app-input';
import { parse } from '../http/parse';
import { Problem } from '../http/problem';
import type { ConsolePorts } from '../ports';
import { profilesOf } from '../profile-list';
import { requireApp } from '../require-app';

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
    const app = await requireApp(ports, req.params.id);
    const settings = withChange(settingsOf(app), parse(appChangeSchema, req.body));
    await apps.update(app.id, settings);
    res.json({ ...app, ...settings });
  });

  router.delete('/apps/:id', async (req, res) => {
    const { id } = await requireApp(ports, req.params.id);
    await apps.remove(id);
    for (const ref of await profilesOf(ports.store, id)) await ports.store.profiles.remove(ref);
    res.json({});
  });

  router.post('/apps/:id/keys', async (req, res) => {
    const app = await requireApp(ports, req.params.id);
    const { which } = parse(rotationSchema, req.body);
    const value = await apps.replaceKey(app.id, which);
    res.json({ ...app, [which]: value });
  });

  return router;
}
