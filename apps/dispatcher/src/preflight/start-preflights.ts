import { setTimeout as delay } from 'node:timers/promises';
import { FairGate, lastingTimeout, repeat, type Repeated } from '@pushfleet/service-kit';
import { underLease, type PreflightCounts, type PreflightQuestion, type PreflightState } from '@pushfleet/store';
import type { DispatchPorts } from '../dispatch';
import { countPush } from './count-push';
import { openWalkPlaces, WalkRefused } from './walk-places';

export interface PreflightPorts extends Pick<DispatchPorts, 'store' | 'traits' | 'metrics' | 'now'> {
  readonly stopping: AbortSignal;
  onError(error: unknown): void;
}

/** Questions of this process that are not answered yet, half of them walks at most; others are left to other dispatchers. */
const MAX_TAKEN = 32;
/** Planned at the same time, beside the pushes that are sent. */
const PLANS = { atOnce: 2, perAccount: 1 };
const WALKS = { atOnce: 1, perAccount: 1 };
/** Whoever asked looks for the answer several times a second. */
const ANSWER_LIFE_MS = 10_000;
/** An answer that is asked for later. */
const KEPT_MS = 600_000;
const LONGEST_WALK_MS = 600_000;
/** A walk that tells nothing for so long has died with its process. */
const BEAT = { everyMs: 5000, lifeMs: 30_000 };
const NEXT_TRY_MS = 250;

/** Answers pre-flights, those of an app in turns with those of others, and one walk of an app after the other. */
export function startPreflights(ports: PreflightPorts): { stop(): Promise<void> } {
  const taken = new Set<Promise<void>>();
  const answer = openAnswer(ports);
  const stopListening = ports.store.preflights.listen({
    async onQuestion(question) {
      const answered: Promise<void> = answer(question)
        .catch((error: unknown) => fail(ports, question, error))
        .finally(() => taken.delete(answered));
      taken.add(answered);
      if (taken.size >= MAX_TAKEN) await Promise.race(taken);
    },
    onError: (error) => ports.onError(error),
  });
  return {
    async stop() {
      stopListening();
      await Promise.all(taken);
    },
  };
}

async function fail(
  { store, metrics, onError }: PreflightPorts,
  { id, app, isExact }: PreflightQuestion,
  error: unknown,
): Promise<void> {
  const isRefused = error instanceof WalkRefused;
  metrics.preflights.inc({ result: isRefused ? 'refused' : 'failed' });
  if (!isRefused) onError(error);
  const refusal = isRefused ? { refusal: error.message } : {};
  const lifeMs = isExact ? KEPT_MS : ANSWER_LIFE_MS;
  await store.preflights.tell(id, { kind: 'failed', app, ...refusal }, lifeMs).catch(onError);
}

type Result = 'answered' | 'late';

function openAnswer(ports: PreflightPorts): (question: PreflightQuestion) => Promise<void> {
  const { store, metrics, now, stopping } = ports;
  const inWalkPlace = openWalkPlaces();
  const plans = new FairGate(PLANS);
  const walks = new FairGate(WALKS);
  // It has its turn when it is counted.
  const counted = { ...ports, turns: { run: <T>(_: string, work: () => Promise<T>) => work() } };

  async function answerOnce(question: PreflightQuestion): Promise<Result> {
    const { id, app, frame, until } = question;
    const options = { signal: stopping, onLookedAt: () => undefined };
    const isLate = (): boolean => until <= now();
    if (isLate()) return 'late';
    // It may have become late while it waited for its turn.
    const counts = await plans.run(app, async () => (isLate() ? undefined : countPush(counted, question, options)));
    if (!counts) return 'late';
    await store.preflights.tell(id, { kind: 'counted', app, counts, frame }, ANSWER_LIFE_MS);
    return 'answered';
  }

  async function walk(question: PreflightQuestion): Promise<Result> {
    const { id, app, frame } = question;
    const walking = beat(ports, question);
    try {
      const signal = AbortSignal.any([stopping, lastingTimeout(LONGEST_WALK_MS)]);
      const options = { signal, onLookedAt: walking.onLookedAt };
      const work = () => walks.run(app, () => countPush(counted, question, options));
      const counts = await oneWalkOf(ports, { app, signal, work });
      await walking.stop();
      await store.preflights.tell(id, { kind: 'counted', app, counts, frame }, KEPT_MS);
      return 'answered';
    } finally {
      await walking.stop();
    }
  }

  return async (question) => {
    const { app, isExact } = question;
    const result = await (isExact ? inWalkPlace(app, () => walk(question)) : answerOnce(question));
    metrics.preflights.inc({ result });
  };
}

/** Tells now and then how far a walk is. */
function beat(
  { store, onError }: PreflightPorts,
  { id, app }: PreflightQuestion,
): Repeated & { onLookedAt(devices: number): void } {
  let lookedAt: number | undefined;
  const state = (): PreflightState =>
    lookedAt === undefined ? { kind: 'waiting', app } : { kind: 'walking', app, lookedAt };
  const repeated = repeat(BEAT.everyMs, () => store.preflights.tell(id, state(), BEAT.lifeMs), onError);
  return { stop: () => repeated.stop(), onLookedAt: (devices) => (lookedAt = (lookedAt ?? 0) + devices) };
}

interface OneWalk {
  readonly app: string;
  readonly signal: AbortSignal;
  work(): Promise<PreflightCounts>;
}

/** Runs a walk when no other one of its app is under way, in this process or in another. */
async function oneWalkOf({ store, onError }: PreflightPorts, { app, signal, work }: OneWalk): Promise<PreflightCounts> {
  for (;;) {
    signal.throwIfAborted();
    let counts: PreflightCounts | undefined;
    const name = `preflight ${app}`;
    await underLease({ leases: store.leases, name, onError }, async () => void (counts = await work()));
    if (counts) return counts;
    await delay(NEXT_TRY_MS, undefined, { signal });
  }
}
