import { jsonAnswer } from '@pushfleet/http-edge';
import { z } from 'zod';
import { get, type AdminRoute } from '../http/admin-route';
import { cursorLike, wholeNumber } from '../http/page-range';
import { parse } from '../http/parse';
import type { ConsolePorts } from '../ports';

const MAX_LIMIT = 1000;

const rangeSchema = z.strictObject({
  limit: wholeNumber({ min: 1, max: MAX_LIMIT, digits: 4 }).default(100),
  cursor: cursorLike(/^\d{1,16}-\d{1,10}$/),
});

/** What operators did, the newest first. */
export const auditRoutes = ({ store }: Pick<ConsolePorts, 'store'>): readonly AdminRoute[] => [
  get('/audit', async ({ query }) => {
    const { entries, cursor } = await store.auditLog.read(parse(rangeSchema, query));
    const results = entries.map(({ at, ...entry }) => ({ at: new Date(at).toISOString(), ...entry }));
    return jsonAnswer(200, { results, ...(cursor === undefined ? {} : { cursor }) });
  }),
];
