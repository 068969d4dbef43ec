import { fatesOf, columnNameSchema, profileBucket, type DiscardReason } from '@pushfleet/domain';
import { jsonAnswer } from '@pushfleet/http-edge';
import { rememberBriefly } from '@pushfleet/store';
import { z } from 'zod';
import { audienceSlice } from '../audience-slice';
import { fateRules } from '../fate-rules';
import { DEAR, get, type AdminRoute } from '../http/admin-route';
import { cursorLike } from '../http/page-range';
import { parse } from '../http/parse';
import type { ConsolePorts } from '../ports';
import { requireApp } from '../require-app';

/** Installations of one fate: the road that a push to everybody takes to them, or why there is none. */
interface ReachedNow {
  readonly channel: string;
  /** Absent where no profile decides. */
  readonly profile?: string;
  /** Absent when they are reached. */
  readonly reason?: DiscardReason;
  readonly count: number;
}

const sliceSchema = z.strictObject({
  cursor: cursorLike(/^[\w-]{1,64}$/),
  column: columnNameSchema('must be the name of a column').default('appVersion'),
});

/** Whom a push that shows something would reach now, and what the devices of an app are. */
export const appReachRoutes = (ports: ConsolePorts): readonly AdminRoute[] => [audienceRoute(ports), reachRoute(ports)];

const audienceRoute = (ports: ConsolePorts): AdminRoute =>
  get(
    '/apps/:id/audience',
    async ({ params, query }) => {
      const app = await requireApp(ports, params.id);
      const { cursor: after, column } = parse(sliceSchema, query);
      const slice = await audienceSlice(ports, app, { after, column });
      const total = after === undefined ? { total: await ports.store.installations.count(app.id) } : {};
      return jsonAnswer(200, { ...slice, ...total });
    },
    DEAR,
  );

function reachRoute(ports: ConsolePorts): AdminRoute {
  const { installations } = ports.store;
  // To count them asks every shard: some ten milliseconds of Redis, however few devices there are.
  const sizes = rememberBriefly((app) => installations.bucketSizes(app), ports.now);
  return get('/apps/:id/reach', async ({ params }) => {
    const app = await requireApp(ports, params.id);
    const fateOf = fatesOf(await fateRules(ports, app));
    const sums = new Map<string, ReachedNow>();
    for (const [bucket, size] of await sizes.get(app.id)) {
      const { channel, discard: reason } = { discard: undefined, ...fateOf(bucket) };
      const named = app.hybrid ? profileBucket(bucket)?.profile : undefined;
      const kind = {
        channel,
        ...(named === undefined ? {} : { profile: named }),
        ...(reason === undefined ? {} : { reason }),
      };
      const name = JSON.stringify(kind);
      sums.set(name, { ...kind, count: size + (sums.get(name)?.count ?? 0) });
    }
    const results = [...sums.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, kind]) => kind);
    const reached = results.filter(({ reason }) => reason === undefined);
    return jsonAnswer(200, {
      hybrid: app.hybrid,
      reachable: reached.reduce((sum, { count }) => sum + count, 0),
      results,
    });
  });
}
