import { mergeRecords, PUSH_STATUSES, pushView, type JsonObject, type PushRecord } from '@pushfleet/domain';
import { jsonAnswer } from '@pushfleet/http-edge';
import { z } from 'zod';
import { get, type AdminRoute } from '../http/admin-route';
import { wholeNumber } from '../http/page-range';
import { parse } from '../http/parse';
import { Problem } from '../http/problem';
import { installationVerdict } from '../installation-verdict';
import type { ConsolePorts } from '../ports';
import { requireApp } from '../require-app';

const MAX_LIMIT = 100;
const MAX_SKIP = 10_000;

const rangeSchema = z.strictObject({
  limit: wholeNumber({ min: 1, max: MAX_LIMIT, digits: 9 }).default(20),
  skip: wholeNumber({ min: 0, max: MAX_SKIP, digits: 9 }).default(0),
  status: z.enum(PUSH_STATUSES).optional(),
});

const detailSchema = z.strictObject({ installationId: z.string().min(1).max(512).optional() });

export function pushRoutes(ports: ConsolePorts): readonly AdminRoute[] {
  const { pushes, waits } = ports.store;
  return [
    get('/apps/:id/pushes', async ({ params, query }) => {
      const app = await requireApp(ports, params.id);
      const records = await waits.tell(await pushes.list(app.id, parse(rangeSchema, query)));
      return jsonAnswer(200, { results: records.map((record) => viewOf(ports, record)) });
    }),

    get('/apps/:id/pushes/:pushId', async ({ params, query }) => {
      const app = await requireApp(ports, params.id);
      const { installationId } = parse(detailSchema, query);
      const records = await waits.tell(await pushes.find(app.id, params.pushId));
      const record = mergeRecords(records);
      if (!record) throw new Problem('not-found', `the app ${app.id} has no push ${JSON.stringify(params.pushId)}`);
      const view = viewOf(ports, record);
      if (installationId === undefined) return jsonAnswer(200, view);
      return jsonAnswer(200, {
        ...view,
        installation: await installationVerdict(ports, { app, records, id: installationId }),
      });
    }),
  ];
}

/** Who repeats a push has to know whether its condition is all that it had. */
const viewOf = ({ channels }: ConsolePorts, record: PushRecord): JsonObject => ({
  ...pushView(record, channels.values()),
  ...(record.isNamed === true ? { named: true } : {}),
});
