import { LIMITS } from '@pushfleet/domain';
import type { Answer } from '@pushfleet/http-edge';
import { z } from 'zod';
import { DEAR, get, type AdminRoute } from '../http/admin-route';
import { cursorLike } from '../http/page-range';
import { parse } from '../http/parse';
import { CSV_HEAD, csvOf } from '../outcome-csv';
import type { ConsolePorts } from '../ports';
import { placeOf } from '../push-api';
import { requireApp } from '../require-app';
import { tableAnswer } from '../table-answer';

const querySchema = z.strictObject({
  cursor: cursorLike(/^[\w-]{1,256}$/),
  outcome: z.string().min(1).max(64).optional(),
  reason: z.string().min(1).max(64).optional(),
  channel: z.string().min(1).max(64).optional(),
});

const pageSchema = z.looseObject({
  results: z.array(z.record(z.string(), z.json())),
  cursor: z.string().nullable(),
  complete: z.boolean(),
});

const NOT_ALL = 'these are not all devices of the push: it is not done, or its oldest outcomes were dropped';

type Ports = Pick<ConsolePorts, 'store' | 'pushApi'>;

/**
 * What became of every device of a push, as a table: a page of the push API is read when the one before is taken. What was cut
 * off goes on without a head, so that the pieces make one table.
 */
export const pushOutcomeRoutes = ({ store, pushApi }: Ports): readonly AdminRoute[] => [
  get(
    '/apps/:id/pushes/:pushId/outcomes',
    async ({ params, query, caller, signal, judgeAgain, inTurn }): Promise<Answer> => {
      const app = await requireApp({ store }, params.id);
      const { cursor: from, ...filter } = parse(querySchema, query);
      const read = async (cursor: string | undefined) => {
        const more = { limit: String(LIMITS.outcomePage.value), ...(cursor === undefined ? {} : { cursor }) };
        const path = `${placeOf(params.pushId)}/devices?${new URLSearchParams({ ...filter, ...more })}`;
        const { body } = await pushApi.ask(app, { method: 'GET', path, signal: signal() });
        const page = pageSchema.parse(body);
        const end = page.cursor === null && !page.complete ? `# ${NOT_ALL}\n` : '';
        return { lines: csvOf(page.results) + end, cursor: page.cursor ?? undefined };
      };
      const table = { name: `push-${params.pushId}`, account: caller.by, head: CSV_HEAD, from, read };
      return tableAnswer({ judgeAgain, inTurn }, table);
    },
    DEAR,
  ),
];
