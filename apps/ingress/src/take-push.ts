import { DEFAULT_PROFILE, InvalidInput, LAST_DATE_MS, LIMITS, type App, type PushRequest } from '@pushfleet/domain';
import {
  type OpenPushRoom,
  placesOf,
  type AcceptedPush,
  type NewPush,
  type ProfileStore,
  type PushSchedule,
  type Quotas,
} from '@pushfleet/store';
import { type AcceptPush } from './accept-pushes';
import { type CostOf } from './push-cost';
import type { Caller } from './http/authenticate';
import { accountOf } from './http/lanes';
import { Refusal } from './http/problem';
import { type PlanAtOnce } from './plan-at-once';

export interface TakePorts {
  readonly acceptPush: AcceptPush;
  readonly costOf: CostOf;
  readonly planAtOnce: PlanAtOnce;
  readonly profiles: Pick<ProfileStore, 'names'>;
  readonly schedule: Pick<PushSchedule, 'take' | 'leave'>;
  readonly quotas: Pick<Quotas, 'deliveriesOn'>;
  readonly pushRoom: Pick<OpenPushRoom, 'require'>;
  readonly now: () => number;
}

/** Takes a push that was asked for, if the app may have it. */
export type TakePush = (caller: Caller, request: PushRequest) => Promise<AcceptedPush>;

const MAX_SCHEDULED: Readonly<Record<App['edition'], number>> = {
  commercial: LIMITS.scheduledPushes.value,
  developer: LIMITS.developerScheduledPushes.value,
};

export function openTakePush(ports: TakePorts): TakePush {
  const { acceptPush, costOf, planAtOnce, now } = ports;
  return async (caller, request) => {
    const { app } = caller;
    const account = accountOf(caller);
    const push: NewPush = { ...newPush(app, request, now()), ...(caller.isMaster ? {} : { by: 'app-key' }) };
    await requireAllowed(ports, app, push.pushTime);
    if (push.isScheduled) return schedulePush(ports, { app, account }, push);
    return acceptPush({ plan: await planAtOnce(app, push), ...push }, { account, cost: await costOf(push) });
  };
}

/** What an app needs for any push; the day that counts is the one on which it goes out. */
export async function requireAllowed(
  ports: Pick<TakePorts, 'profiles' | 'quotas' | 'pushRoom'>,
  app: App,
  pushTime: number,
): Promise<void> {
  const names = app.hybrid ? ports.profiles.names(app.id) : undefined;
  const [known] = await Promise.all([names, ports.pushRoom.require(app.id)]);
  if (known) requireProfile(known);
  if (app.limits.deliveriesPerDay > 0) await requireDeliveries(ports, app, pushTime);
}

function requireProfile(names: ReadonlySet<string>): void {
  for (const name of names) if (name.endsWith(`/${DEFAULT_PROFILE}`)) return;
  throw new InvalidInput('misconfigured', `Hybrid push is on, but no vendor has a profile named ${DEFAULT_PROFILE}.`);
}

async function requireDeliveries(
  { quotas }: Pick<TakePorts, 'quotas'>,
  { id, limits }: App,
  pushTime: number,
): Promise<void> {
  if ((await quotas.deliveriesOn(id, pushTime)) >= limits.deliveriesPerDay)
    throw new Refusal('plan-quota', 'The app has reached as many devices as it may on one day.');
}

export function newPush({ id: app, limits }: App, request: PushRequest, now: number): NewPush {
  const { pushTime = now, expiresAt: until = pushTime + limits.pushLifetimeMs } = request;
  const expiresAt = Math.min(until, LAST_DATE_MS);
  const { content, audience, where, prod, notificationId, reqId, flowControl, overBudget, isToDevices } = request;
  const isScheduled = pushTime > now;
  const choices = { prod, notificationId, reqId, flowControl, overBudget, isToDevices };
  return { app, content, audience, where, ...choices, pushTime, expiresAt, isScheduled };
}

/** It is queued by its time, and no push of another app waits for it. */
const NO_COST = 0;

async function schedulePush(
  { acceptPush, schedule, now }: TakePorts,
  { app, account }: { readonly app: App; readonly account: string },
  push: NewPush,
): Promise<AcceptedPush> {
  const max = MAX_SCHEDULED[app.edition];
  const place = await schedule.take(push, { max, now: now() });
  if (!place) throw tooManyScheduled(max, placesOf(push));
  const accepted = await acceptPush({ ...push, place }, { account, cost: NO_COST });
  if (accepted.pushId !== place.pushId) await schedule.leave(app.id, place);
  return accepted;
}

function tooManyScheduled(max: number, places: number): InvalidInput {
  const { value, unit } = LIMITS.scheduledPlaceBytes;
  const why =
    places === 1
      ? `one of more than ${value} ${unit} takes several places`
      : `this one takes ${places} places, one for every ${value} ${unit} of it`;
  return new InvalidInput('threshold', `push_time: at most ${max} pushes may wait for their time; ${why}`);
}

/** Refuses a push that would not find its places in the schedule, and takes none. */
export async function requirePlace(
  { schedule, now }: { readonly schedule: Pick<PushSchedule, 'count'>; readonly now: () => number },
  { id, edition }: App,
  push: NewPush,
): Promise<void> {
  const [max, places] = [MAX_SCHEDULED[edition], placesOf(push)];
  if ((await schedule.count(id, now())) + places > max) throw tooManyScheduled(max, places);
}
