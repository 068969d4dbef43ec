import { coversApp, coversRole, type AppScope, type AppWithKeys } from '@pushfleet/domain';
import { jsonAnswer } from '@pushfleet/http-edge';
import { appChangeSchema, newApp, newAppSchema, withChange } from '../app-input';
import { appView, withoutKeys } from '../app-view';
import { changeAndTell } from '../change-and-tell';
import { get, patch, post, remove, type AdminRoute } from '../http/admin-route';
import { parse } from '../http/parse';
import { Problem } from '../http/problem';
import type { ConsolePorts } from '../ports';
import { purgeView } from '../purge-view';
import { roomView } from '../room-view';
import { noApp, refusePurged, requireApp } from '../require-app';
import { requireOfflinePush } from '../require-offline-push';

export function appRoutes(ports: ConsolePorts): readonly AdminRoute[] {
  const { apps, purges, installations } = ports.store;
  const view = (app: AppWithKeys): object => appView(app, ports.now());
  return [
    post('/apps', async ({ body, changed }) => {
      const wish = parse(newAppSchema, body);
      requireOfflinePush(ports, wish);
      const app = newApp(wish);
      const columns = await installations.columnNames.collect(app.id);
      if (!(await apps.create(app))) {
        await refusePurged(ports.store, app.id);
        throw new Problem('conflict', `an app with the id ${app.id} exists`);
      }
      changed({}, withoutKeys(app));
      // A new app has no installation: who pushes by a column is warned of a slip from its first installations on.
      await columns.keep().catch((err: unknown) => {
        // The app exists, whatever became of this: the daily sweep keeps its columns, too.
        ports.log.warn({ err, app: app.id }, 'nobody is warned yet of columns that no installation of a new app has');
      });
      return jsonAnswer(201, app);
    }),

    get('/apps', async ({ caller }) => jsonAnswer(200, await listedFor(ports, caller.apps))),

    get('/apps/:id', async ({ caller, params }) => {
      const { id } = params;
      const purge = (await apps.get(id)) ? undefined : await purges.get(id);
      if (purge) return jsonAnswer(200, { id, purge: purgeView(purge) });
      const app = await requireApp(ports, id);
      return jsonAnswer(200, coversRole(caller.role, 'operator') ? view(app) : withoutKeys(app));
    }),

    get('/apps/:id/room', async ({ params }) => {
      const { id, limits } = await requireApp(ports, params.id);
      const isCounted = limits.deliveriesPerDay > 0;
      const used = isCounted ? { deliveriesToday: await ports.store.quotas.deliveriesOn(id, ports.now()) } : {};
      return jsonAnswer(200, { ...roomView(await installations.room(id)), ...used });
    }),

    patch('/apps/:id', async (call) => {
      const { id } = await requireApp(ports, call.params.id);
      const wish = parse(appChangeSchema, call.body);
      requireOfflinePush(ports, wish);
      const after = await changeAndTell<AppWithKeys>(call, {
        update: (change) => apps.update(id, change),
        change: (before) => withChange(before, wish),
        view: withoutKeys,
      });
      return jsonAnswer(200, view(after ?? noApp(id)));
    }),

    remove('/apps/:id', async ({ params, changed }) => {
      const { id } = params;
      // No key is opened for it: an app whose keys nobody can open can be deleted, too.
      if (await apps.remove(id)) changed({}, {});
      const purge = (await purges.get(id)) ?? noApp(id);
      return jsonAnswer(200, { purge: purgeView(purge) });
    }),
  ];
}

/** The apps of a scope: with those that are being removed, and those whose records cannot be read. */
async function listedFor({ store: { apps, purges } }: Pick<ConsolePorts, 'store'>, scope: AppScope): Promise<object> {
  const isSeen = ({ id }: { readonly id: string }): boolean => coversApp(scope, id);
  const results = (await apps.list()).filter(isSeen);
  results.sort((a, b) => (a.id < b.id ? -1 : 1));
  const all = Array.from(await purges.list(), ([id, purge]) => ({ id, ...(purge && { purge: purgeView(purge) }) }));
  const purging = all.filter(isSeen);
  const unreadable = (await apps.unreadable()).filter((id) => isSeen({ id }));
  return { results, ...(purging.length > 0 ? { purging } : {}), ...(unreadable.length > 0 ? { unreadable } : {}) };
}
