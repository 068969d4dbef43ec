import type { Producer } from '@pushfleet/queues';
import { repeat, type Logger, type Repeated } from '@pushfleet/service-kit';
import { redisSettings, type RedisClient, type Store } from '@pushfleet/store';
import type { Attempt } from '../attempts';
import { Audience } from './audience';
import { Backlog } from './backlog';
import type { FleetMetrics } from './fleet-metrics';
import { openWatch } from './watch';

export interface WatchParts {
  readonly store: Store;
  readonly redis: RedisClient;
  readonly queues: readonly Pick<Producer<never>, 'queue' | 'depth'>[];
  readonly channels: ReadonlySet<string>;
  readonly metrics: FleetMetrics;
  readonly attempt: Attempt;
  readonly log: Pick<Logger, 'error'>;
}

/** Measures the fleet again and again, as long as no other dispatcher does. */
export function startWatch(parts: WatchParts, everyMs: number): Repeated {
  const { store, redis, queues, channels, metrics, attempt, log } = parts;
  const onImbalance = (pushId: string): void => log.error({ pushId }, 'the books of a push do not add up');
  const { now } = store.clock;
  const backlog = new Backlog({ store, channels, now, attempt, onImbalance });
  const memory = () => redisSettings(redis);
  const watch = openWatch(
    {
      store,
      backlog,
      queues,
      memory,
      metrics,
      attempt,
      now,
      audience: new Audience({ apps: store.apps, installations: store.installations, channels, attempt }),
    },
    everyMs,
  );
  const rounds = repeat(everyMs, watch.round, (err) => log.error({ err }, 'watching the fleet failed'));
  return {
    async stop() {
      await rounds.stop();
      await watch.leave();
    },
  };
}
