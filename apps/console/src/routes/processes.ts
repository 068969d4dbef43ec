import { jsonAnswer } from '@pushfleet/http-edge';
import { get, type AdminRoute } from '../http/admin-route';
import type { ConsolePorts } from '../ports';

/** Who lives in the fleet. */
export const processRoutes = ({ store }: Pick<ConsolePorts, 'store'>): readonly AdminRoute[] => [
  get('/processes', async () => {
    const living = await store.processes.list();
    const results = living.map(({ labels, since, certificateEndsAt: endsAt, clockAheadMs: _, ...process }) => ({
      ...process,
      ...labels,
      since: new Date(since).toISOString(),
      ...(endsAt === undefined ? {} : { certificateEndsAt: new Date(endsAt).toISOString() }),
    }));
    return jsonAnswer(200, { results });
  }),
];
