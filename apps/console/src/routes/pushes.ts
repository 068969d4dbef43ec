import { mergeRecords, pushView, type JsonObject, type PushRecord } from '@pushfleet/domain';
import { jsonAnswer } from '@pushfleet/http-edge';
import { pushCursorOf } from '@pushfleet/store';
import { z } from 'zod';
import { DEAR, get, type AdminRoute } from '../http/admin-route';
import { wholeNumber } from '../http/page-range';
import { parse } from '../http/parse';
import { Problem } from '../http/problem';
import { installationVerdict } from '../installation-verdict';
import { pushTableHead, pushTableLine } from '../push-table';
import type { ConsolePorts } from '../ports';
import { findPushes, isSearch, listedService, listedStatus, searchFields } from '../push-search';
import { requireApp } from '../require-app';
import { tableAnswer } from '../table-answer';

const MAX_LIMIT = 100;
const MAX_SKIP = 10_000;

const rangeSchema = z
  .strictObject({
    limit: wholeNumber({ min: 1, max: MAX_LIMIT, digits: 9 }).default(20),
    skip: wholeNumber({ min: 0, max: MAX_SKIP, digits: 9 }).default(0),
    ...searchFields,
  })
  .refine(({ skip, ...wish }) => skip === 0 || !isSearch(wish), {
    path: ['skip'],
    message: 'goes with limit, status and from-service: what is searched for goes on with its cursor',
  });

const tableSchema = z.strictObject(searchFields);

const detailSchema = z.strictObject({ installationId: z.string().min(1).max(512).optional() });

export function pushRoutes(ports: ConsolePorts): readonly AdminRoute[] {
  const { pushes, waits } = ports.store;
  return [
    get(
      '/apps/:id/pushes',
      async ({ params, query, signal }) => {
        const app = await requireApp(ports, params.id);
        const { limit, skip, ...wish } = parse(rangeSchema, query);
        const { results, lookedAt, end } =
          skip > 0
            ? await pushes.filter(app.id, { limit, skip, status: listedStatus(wish), service: listedService(wish) })
            : await findPushes(ports, { app: app.id, wish, limit, signal: signal() });
        const told = (await waits.tell(results)).map((record) => viewOf(ports, record));
        return jsonAnswer(200, {
          results: told,
          lookedAt,
          ...(end && { cursor: pushCursorOf(end), lookedBackTo: new Date(end.createdAt).toISOString() }),
        });
      },
      DEAR,
    ),

    get(
      '/apps/:id/pushes.csv',
      async ({ params, query, caller, signal, judgeAgain, inTurn }) => {
        const app = await requireApp(ports, params.id);
        const { cursor: from, ...wish } = parse(tableSchema, query);
        const read = async (cursor: string | undefined) => {
          const search = { app: app.id, wish: { ...wish, cursor }, limit: MAX_LIMIT, signal: signal() };
          const { results, end } = await findPushes(ports, search);
          const lines = results.map((record) => pushTableLine(viewOf(ports, record))).join('');
          return { lines, cursor: end && pushCursorOf(end) };
        };
        const table = { name: `pushes-${app.id}`, account: caller.by, head: pushTableHead, from, read };
        return tableAnswer({ judgeAgain, inTurn }, table);
      },
      DEAR,
    ),

    get(
      '/apps/:id/pushes/:pushId',
      async ({ params, query }) => {
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
      },
      DEAR,
    ),
  ];
}

/** Who repeats a push has to know whether its condition is all that it had. */
const viewOf = ({ channels }: ConsolePorts, record: PushRecord): JsonObject => ({
  ...pushView(record, channels.values()),
  ...(record.isNamed === true ? { named: true } : {}),
});
