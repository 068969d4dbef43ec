import { bulkQueue, directQueue } from '@pushfleet/queues';
import { type CallLimitStore, type CallsAllowed, profileOfKey } from '@pushfleet/store';
import { isStillAhead } from '@pushfleet/domain';
import type { WorkerMetrics } from '../metrics';
import type { CallLimits } from './call-limits';

export type LimitsByQueue = Readonly<Record<'direct' | 'bulk', Pick<CallLimits, 'states'>>>;

export interface CallLimitReportPorts {
  readonly store: CallLimitStore;
  readonly channel: string;
  readonly worker: string;
  readonly limits: LimitsByQueue;
  readonly metrics: Pick<WorkerMetrics, 'callsAllowed'>;
  readonly now: () => number;
}

const TELL_EVERY_MS = 2000;
/** Profiles that one worker tells of, those with most calls. */
const MOST_TOLD = 100;

/** Tells operators how many calls this process allows: the greatest number as a metric, those of the profiles by way of Redis. */
export class CallLimitReport {
  private quietUntil = 0;
  private hasTold = false;

  constructor(private readonly ports: CallLimitReportPorts) {}

  async tell(): Promise<void> {
    const { store, channel, worker, metrics, now } = this.ports;
    const all = [...this.of('direct'), ...this.of('bulk')].toSorted((a, b) => b.allowed - a.allowed);
    for (const [queue, name] of [
      ['direct', directQueue(channel)],
      ['bulk', bulkQueue(channel)],
    ] as const)
      metrics.callsAllowed.set({ channel, queue: name }, all.find((calls) => calls.queue === queue)?.allowed ?? 0);
    if (isStillAhead(this.quietUntil, now(), TELL_EVERY_MS) || (all.length === 0 && !this.hasTold)) return;
    this.quietUntil = now() + TELL_EVERY_MS;
    this.hasTold = all.length > 0;
    await store.tell(channel, worker, { at: now(), calls: all.slice(0, MOST_TOLD) });
  }

  private of(queue: 'direct' | 'bulk'): readonly CallsAllowed[] {
    return this.ports.limits[queue].states().map(({ profile, allowed, latencyMs }) => ({
      ...profileOfKey(profile),
      queue,
      allowed,
      ...(latencyMs === undefined ? {} : { latencyMs: Math.round(latencyMs) }),
    }));
  }
}
