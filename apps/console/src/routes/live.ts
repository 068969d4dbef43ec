import { LIMITS } from '@pushfleet/domain';
import { z } from 'zod';
import { get, type AdminRoute } from '../http/admin-route';
import { parse } from '../http/parse';
import type { LiveStreams } from '../live/live-streams';

const MAX_NAME = 150;
/** How long a browser waits before it asks again where the page does not decide. */
const RETRY_MS = 2000;

const querySchema = z.strictObject({
  topic: z.preprocess(
    (given) => (typeof given === 'string' ? [given] : given),
    z.array(z.string().max(MAX_NAME), 'is required').min(1).max(LIMITS.liveTopics.value),
  ),
});

/** What changes, as it changes. */
export const liveRoutes = (live: LiveStreams): readonly AdminRoute[] => [
  get('/live', ({ req, caller, query }) => {
    const rest = live.open({ req, caller }, parse(querySchema, query).topic);
    return Promise.resolve({
      status: 200,
      body: `retry: ${RETRY_MS}\n\n`,
      contentType: 'text/event-stream',
      rest,
      // Proxies that collect answers would keep every event back.
      headers: { 'x-accel-buffering': 'no' },
    });
  }),
];
