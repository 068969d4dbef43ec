import { jsonAnswer } from '@pushfleet/http-edge';
import type { AuditEntry } from '@pushfleet/store';
import { z } from 'zod';
import { auditFields, wantedEntries } from '../audit-search';
import { csvLine } from '../csv';
import { DEAR, get, type AdminRoute } from '../http/admin-route';
import { wholeNumber } from '../http/page-range';
import { parse } from '../http/parse';
import type { ConsolePorts } from '../ports';
import { tableAnswer } from '../table-answer';

const MAX_LIMIT = 1000;

const rangeSchema = z.strictObject({
  limit: wholeNumber({ min: 1, max: MAX_LIMIT, digits: 4 }).default(100),
  ...auditFields,
});
const tableSchema = z.strictObject(auditFields);

const COLUMNS = ['at', 'by', 'from', 'action', 'target', 'changes'] as const;

const viewOf = ({ at, ...entry }: AuditEntry) => ({ at: new Date(at).toISOString(), ...entry });

/** What operators did, the newest first. */
export const auditRoutes = ({ store: { auditLog } }: Pick<ConsolePorts, 'store'>): readonly AdminRoute[] => [
  get(
    '/audit',
    async ({ query }) => {
      const { limit, cursor, ...wish } = parse(rangeSchema, query);
      const page = await auditLog.read({ limit, cursor, isWanted: wantedEntries(wish) });
      const { entries, cursor: next, lookedBackTo = 0 } = page;
      const more = next === undefined ? {} : { cursor: next, lookedBackTo: new Date(lookedBackTo).toISOString() };
      return jsonAnswer(200, { results: entries.map(viewOf), ...more });
    },
    DEAR,
  ),

  get(
    '/audit.csv',
    async ({ caller, query, judgeAgain, inTurn }) => {
      const { cursor: from, ...wish } = parse(tableSchema, query);
      const read = async (cursor: string | undefined) => {
        const page = await auditLog.read({ limit: MAX_LIMIT, cursor, isWanted: wantedEntries(wish) });
        const views = page.entries.map(viewOf);
        return {
          lines: views.map((view) => csvLine(COLUMNS.map((column) => view[column]))).join(''),
          cursor: page.cursor,
        };
      };
      const table = { name: 'audit', account: caller.by, head: csvLine(COLUMNS), from, read };
      return tableAnswer({ judgeAgain, inTurn }, table);
    },
    DEAR,
  ),
];
