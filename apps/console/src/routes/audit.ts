import { jsonAnswer } from '@pushfleet/http-edge';
import { z } from 'zod';
import { get, type AdminRoute } from '../http/admin-route';
import { parse } from '../http/parse';
import type { ConsolePorts } from '../ports';

const MAX_LIMIT = 1000;

const rangeSchema = z.strictObject({
  limit: z
    .string()
    .regex(/^\d{1,4}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(1).max(MAX_LIMIT))
    .default(100),
  cursor: z
    .string()
    .regex(/^\d{1,16}-\d{1,10}$/, 'is none of this API')
    .optional(),
});

/** What operators did, the newest first. */
export const auditRoutes = ({ store }: Pick<ConsolePorts, 'store'>): readonly AdminRoute[] => [
  get('/audit', async ({ query }) => {
    const { entries, cursor } = await store.auditLog.read(parse(rangeSchema, query));
    const results = entries.map(({ at, ...entry }) => ({ at: new Date(at).toISOString(), ...entry }));
    return jsonAnswer(200, { results, ...(cursor === undefined ? {} : { cursor }) });
  }),
];
