import { DAY_MS, LIMITS, withNewKey, withoutReplaced, type AppWithKeys } from '@pushfleet/domain';
import { jsonAnswer } from '@pushfleet/http-edge';
import { generateKey } from '@pushfleet/store';
import { z } from 'zod';
import { appView, replacedView } from '../app-view';
import { changeAndTell } from '../change-and-tell';
import { post, remove, type AdminRoute } from '../http/admin-route';
import { parse } from '../http/parse';
import { Problem } from '../http/problem';
import type { ConsolePorts } from '../ports';
import { MASK, NEW_SECRET } from '../profile-document';
import { noApp, requireApp } from '../require-app';

const WHICH = z.enum(['key', 'masterKey']);

export const rotationSchema = z.strictObject({
  which: WHICH,
  keepOldMs: z
    .int()
    .min(0)
    .max(LIMITS.replacedKeyMs.value)
    .optional()
    .describe('How long the old key is taken beside the new one, a day where it is absent; 0: it ends now.'),
});

export function appKeyRoutes(ports: ConsolePorts): readonly AdminRoute[] {
  const { apps } = ports.store;
  return [
    post('/apps/:id/keys', async (call) => {
      const { id } = await requireApp(ports, call.params.id);
      const { which, keepOldMs = DAY_MS } = parse(rotationSchema, call.body);
      const keepOldUntil = keepOldMs === 0 ? undefined : ports.now() + keepOldMs;
      const after = await changeAndTell<AppWithKeys>(call, {
        update: (change) => apps.update(id, change),
        change: (app) => withNewKey(app, { which, value: generateKey(), keepOldUntil }),
        view: (app, is) => ({ [which]: is === 'before' ? MASK : NEW_SECRET, ...replacedView(app) }),
      });
      return jsonAnswer(200, appView(after ?? noApp(id), ports.now()));
    }),

    remove('/apps/:id/replaced-keys/:which', async (call) => {
      const { id } = await requireApp(ports, call.params.id);
      const which = parse(WHICH, call.params.which);
      const none = (): never => {
        throw new Problem('not-found', `no ${which} that was replaced is taken for the app ${id}`);
      };
      const after = await changeAndTell<AppWithKeys>(call, {
        update: (change) => apps.update(id, change),
        change: (app) => withoutReplaced(app, which, ports.now()) ?? none(),
        view: replacedView,
      });
      return jsonAnswer(200, appView(after ?? noApp(id), ports.now()));
    }),
  ];
}
