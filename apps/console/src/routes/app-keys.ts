import { DAY_MS, LIMITS, withNewKey, withoutReplaced } from '@pushfleet/domain';
import { jsonAnswer } from '@pushfleet/http-edge';
import { generateKey } from '@pushfleet/store';
import { z } from 'zod';
import { appView, replacedView } from '../app-view';
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
    post('/apps/:id/keys', async ({ params, body, changed }) => {
      const { id } = await requireApp(ports, params.id);
      const { which, keepOldMs = DAY_MS } = parse(rotationSchema, body);
      const keepOldUntil = keepOldMs === 0 ? undefined : ports.now() + keepOldMs;
      const after = await apps.update(id, (app) => {
        const next = withNewKey(app, { which, value: generateKey(), keepOldUntil });
        changed({ [which]: MASK, ...replacedView(app) }, { [which]: NEW_SECRET, ...replacedView(next) });
        return next;
      });
      return jsonAnswer(200, appView(after ?? noApp(id), ports.now()));
    }),

    remove('/apps/:id/replaced-keys/:which', async ({ params, changed }) => {
      const { id } = await requireApp(ports, params.id);
      const which = parse(WHICH, params.which);
      const after = await apps.update(id, (app) => {
        const next = withoutReplaced(app, which, ports.now());
        if (!next) throw new Problem('not-found', `no ${which} that was replaced is taken for the app ${id}`);
        changed(replacedView(app), replacedView(next));
        return next;
      });
      return jsonAnswer(200, appView(after ?? noApp(id), ports.now()));
    }),
  ];
}
