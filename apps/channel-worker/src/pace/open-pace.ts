import { randomUUID } from 'node:crypto';
import type { PacingStore, AppProfile, PushOfProfile, VendorWait } from '@pushfleet/store';
import { repeat } from '@pushfleet/service-kit';
import type { WorkerMetrics } from '../metrics';
import type { Sessions } from '../sessions';
import { Breakers } from './breakers';
import { CallLimitReport, type LimitsByQueue } from './call-limit-report';
import { isLooser } from './controls';
import { Holds } from './holds';
import { CallsUnderWay } from './calls-under-way';
import { CallsInFlight } from './in-flight';
import { oneAtATime } from './one-at-a-time';
import { PageGate, type Pace } from './pace';
import { PushHolds } from './push-holds';
import { Rates } from './rates';
import { Throttles } from './throttles';

export interface OpenPacePorts {
  readonly store: PacingStore;
  readonly channel: string;
  readonly maxBatch: number;
  /** No call takes longer. */
  readonly longestCallMs: number;
  readonly sessions: Sessions;
  /** Of the calls, told to operators. */
  readonly limits: LimitsByQueue;
  readonly metrics: WorkerMetrics;
  readonly now: () => number;
  /** Called when waiting work may be sent or booked sooner than planned. */
  onLoosened(): Promise<void>;
  onUnreadable(error: unknown, of: AppProfile): void;
  onBreaker(to: string, of: AppProfile, reason: string | undefined): void;
  onHold(isHeld: boolean, of: PushOfProfile, vendorCode: string | undefined): void;
  onError(error: unknown): void;
}

export interface RunningPace {
  readonly gate: Pace;
  /** Resolves once the decisions of operators as they are now hold. */
  refresh(): Promise<void>;
  /** Forgets its place among the workers of the channel. */
  stop(): Promise<void>;
}

/** How soon a decision of an operator, or a breaker that another worker opened, is known here. */
const REFRESH_MS = 500;

/** Resolves once the decisions about the channel are known. */
export async function openPace(ports: OpenPacePorts): Promise<RunningPace> {
  const { store, channel, maxBatch, sessions, metrics, now, onError } = ports;
  const worker = randomUUID();
  const onTransition = (to: string, of: AppProfile, reason: string | undefined): void => {
    metrics.breakerTransitions.inc({ channel, to });
    ports.onBreaker(to, of, reason);
  };
  const shared = { channel, worker, now, longestCallMs: ports.longestCallMs };
  const breakers = new Breakers({ ...shared, store: store.breakers, onTransition });
  const { onHold, onUnreadable } = ports;
  const pushHolds = new PushHolds({ ...shared, store: store.pushHolds, onHold });
  const noteWait = (of: AppProfile, wait: VendorWait | undefined): Promise<void> =>
    wait ? store.vendorWaits.note(channel, of, wait) : store.vendorWaits.clear(channel, of);
  const throttles = new Throttles(now, noteWait);
  const holds = new Holds({ breakers, throttles, pushHolds, now });
  const rates = new Rates(store.leases);
  const calls = new CallsInFlight();
  const onBudgetWait = (): void => metrics.budgetWaits.inc({ channel });
  const { longestCallMs } = ports;
  const underWay = new CallsUnderWay({ store: store.slowCalls, channel, worker, longestCallMs, now });
  const told = new CallLimitReport({ store: store.callLimits, channel, worker, limits: ports.limits, metrics, now });
  const holders = { holds, breakers, pushHolds, throttles, rates, calls, underWay };
  const parts = { store, channel, maxBatch, sessions, now, ...holders };
  const gate = new PageGate({ ...parts, onBudgetWait, onUnreadable, onError });

  const loosened = oneAtATime(ports.onLoosened);
  const refresh = async (): Promise<void> => {
    const beat = store.workers.beat(channel, worker);
    const controls = store.controls.list(channel);
    await Promise.all([beat, controls, underWay.tell(), told.tell()]);
    calls.place = await beat;
    const [before, heldBefore] = [holds.controls, pushHolds.held()];
    holds.controls = await controls;
    const isStopped = holds.controls.length > 0;
    await Promise.all([breakers.refresh(isStopped), pushHolds.refresh(isStopped)]);
    const held = pushHolds.held();
    const isReleased = [...heldBefore].some((name) => !held.has(name));
    // Not awaited: what is decided next must be known here before all that waits was gone through.
    if (isReleased || isLooser(before, holds.controls)) loosened.run().catch(onError);
    reportPace(metrics, channel, { holds, breakers });
    metrics.heldPushes.set({ channel }, held.size);
    metrics.budgetUsed.set({ channel }, rates.takeFullest(REFRESH_MS));
  };
  await refresh();
  const refreshes = oneAtATime(refresh);
  const repeated = repeat(REFRESH_MS, refreshes.run, onError);
  return {
    gate,
    refresh: refreshes.run,
    async stop() {
      await repeated.stop();
      await refreshes.stop();
      await loosened.stop();
      await store.workers.leave(channel, worker);
    },
  };
}

function reportPace(
  metrics: WorkerMetrics,
  channel: string,
  { holds: { controls }, breakers }: { holds: Holds; breakers: Breakers },
): void {
  for (const state of ['open', 'half-open'] as const) metrics.breakers.set({ channel, state }, breakers.count(state));
  const isPaused = controls.some(({ app, state }) => app === undefined && state === 'paused');
  metrics.paused.set({ channel }, Number(isPaused));
  for (const state of ['paused', 'draining', 'discarding'] as const)
    metrics.controls.set({ channel, state }, controls.filter((control) => control.state === state).length);
}
