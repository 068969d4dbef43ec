import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type VendorChannel } from '@pushfleet/channel-kit';
import { type App, type JsonObject, type PushRequest, type PushWarning } from '@pushfleet/domain';
import { jsonAnswer, type Answer } from '@pushfleet/http-edge';
import { FairGate } from '@pushfleet/service-kit';
import { type NewPush, type PreflightState, type Store } from '@pushfleet/store';
import { Refusal } from '../http/problem';
import { type ProfileWarnings } from '../profile-warnings';
import { newPush, requireAllowed, requirePlace } from '../take-push';
import { messageFates } from './message-fates';
import { dryRunAnswer, type PreflightFrame } from './dry-run-answer';

export interface PreflightPorts {
  readonly store: Pick<Store, 'profiles' | 'quotas' | 'pushRoom' | 'schedule' | 'preflights' | 'waits'>;
  readonly profileWarnings: ProfileWarnings;
  readonly channels: Readonly<Record<string, VendorChannel>>;
  readonly now: () => number;
  readonly publicUrl?: string | undefined;
  onUnreadable(error: unknown): void;
}

export interface PreflightWish {
  /** Every device of an audience that has to be walked is looked at. */
  readonly isExact: boolean;
  signal(): AbortSignal;
}

export interface Preflight {
  /** Plans a push that is not sent, and answers what it would reach. */
  run(app: App, request: PushRequest, wish: PreflightWish): Promise<Answer>;
  /** The answer of one that took longer than its caller waited. */
  resume(app: App, id: string): Promise<Answer>;
}

/** A walk is left to itself after this time, and its caller told where to ask. */
const WALK_WAIT_MS = 2500;
/** Dispatchers that do not answer by then are away. */
const ANSWER_WAIT_MS = 3500;
const POLL_MS = { first: 4, longest: 100 };
/** Pre-flights of this process that wait for their answers. */
const PLACES = { atOnce: 64, perAccount: 2 };
const ID = /^[0-9a-f]{32}$/;

const NOW_ONLY: PushWarning = {
  path: 'push_time',
  message: 'the audience is looked for when the push is due; these are the devices of now',
};
const OVER_BUDGET: PushWarning = {
  path: 'over_budget',
  message: 'devices that a budget has no room for are discarded as quota-exceeded, which is not foreseen here',
};

export function openPreflight(ports: PreflightPorts): Preflight {
  const gate = new FairGate(PLACES);
  return {
    run: (app, request, wish) =>
      gate.run(
        app.id,
        () => ask(ports, { app, request, wish }),
        () => wish.signal(),
      ),
    async resume(app, id) {
      const state = ID.test(id) ? await ports.store.preflights.state(id) : undefined;
      if (state?.app !== app.id) throw gone(id);
      return answerTo(ports, id, state);
    },
  };
}

interface Asked {
  readonly app: App;
  readonly request: PushRequest;
  readonly wish: PreflightWish;
}

async function ask(ports: PreflightPorts, { app, request, wish }: Asked): Promise<Answer> {
  const { store, now } = ports;
  const push = newPush(app, request, now());
  await requireAllowed(store, app, push.pushTime);
  if (push.isScheduled) await requirePlace({ schedule: store.schedule, now }, app, push);
  const frame = await frameOf(ports, { app, request, push });
  const { content, audience, pushTime, expiresAt } = push;
  const waitMs = wish.isExact ? WALK_WAIT_MS : ANSWER_WAIT_MS;
  const question = {
    id: randomBytes(16).toString('hex'),
    app: app.id,
    push: { content, audience, pushTime, expiresAt },
    ways: Object.fromEntries(Object.entries(frame.fates).map(([name, { way }]) => [name, way])),
    isExact: wish.isExact,
    until: now() + waitMs,
    frame: frame as unknown as JsonObject,
  };
  if (!(await store.preflights.ask(question))) throw tooMany();
  const state = await answered(ports, question, wish.signal());
  if (!state) throw nobody();
  if (isOver(state)) await store.preflights.forget(question.id);
  return answerTo(ports, question.id, state);
}

const nobody = (): Refusal => new Refusal('unavailable', 'No dispatcher answers at the moment; nothing was sent.');

const isOver = ({ kind }: PreflightState): boolean => kind === 'counted' || kind === 'failed';

async function frameOf(
  ports: PreflightPorts,
  { app, request, push }: { readonly app: App; readonly request: PushRequest; readonly push: NewPush },
): Promise<PreflightFrame> {
  const { profiles, quotas } = ports.store;
  const { deliveriesPerDay } = app.limits;
  const [fates, more, reached] = await Promise.all([
    messageFates({ ...ports, profiles }, app, push),
    ports.profileWarnings(app, request),
    deliveriesPerDay > 0 ? quotas.deliveriesOn(app.id, push.pushTime) : 0,
  ]);
  return {
    app: app.id,
    fates,
    pushTime: push.pushTime,
    flowControl: push.flowControl,
    ...(deliveriesPerDay > 0 ? { deliveriesLeft: Math.max(0, deliveriesPerDay - reached) } : {}),
    warnings: [
      ...request.warnings,
      ...more,
      ...(push.isScheduled ? [NOW_ONLY] : []),
      ...(push.overBudget === 'discard' ? [OVER_BUDGET] : []),
    ],
  };
}

/** The state when it is over, or when a walk takes longer than its caller waits; undefined: nobody answered. */
async function answered(
  { store, now }: PreflightPorts,
  { id, until }: { readonly id: string; readonly until: number },
  signal: AbortSignal,
): Promise<PreflightState | undefined> {
  let pauseMs = POLL_MS.first;
  for (;;) {
    const state = await store.preflights.state(id);
    if ((state && isOver(state)) || now() >= until) return state;
    await delay(pauseMs);
    signal.throwIfAborted();
    pauseMs = Math.min(POLL_MS.longest, pauseMs * 2);
  }
}

async function answerTo({ store }: PreflightPorts, id: string, state: PreflightState): Promise<Answer> {
  if (state.kind === 'failed') throw failed(state.refusal);
  if (state.kind !== 'counted') {
    const path = `/1.1/push/preflight/${id}`;
    const lookedAt = state.kind === 'walking' ? state.lookedAt : 0;
    return jsonAnswer(202, { preflight: true, path, state: state.kind, lookedAt }, { location: path });
  }
  const frame = state.frame as unknown as PreflightFrame;
  return jsonAnswer(200, await dryRunAnswer(store.waits, frame, state.counts));
}

const tooMany = (): Refusal => new Refusal('too-many-calls', 'Too many pre-flights wait for their answers.', 1);

/** A walk for which there was no place may be asked for again when another one is over. */
const failed = (refusal?: string): Refusal =>
  refusal === undefined
    ? new Refusal('unavailable', 'The pre-flight failed; nothing was sent.')
    : new Refusal('too-many-calls', `${refusal} Nothing was sent.`, 1);

const gone = (id: string): Refusal => new Refusal('route-unknown', `There is no pre-flight ${id.slice(0, 64)}${LOST}`);

const LOST = ': an answer is kept for ten minutes, and a walk is lost with its dispatcher. Ask anew.';
