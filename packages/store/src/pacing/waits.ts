import type { PushRecord, Reason, RecordedWait, WaitReason } from '@pushfleet/domain';
import { type PushKeys, readWaitingWork, type WaitingWork } from '../pushes';
import type { AppProfile } from './app-profile';
import { controlFor, isServed, type Control } from './controls';
import type { PacingStore } from './open-pacing';
import type { PushOfProfile } from './push-holds';
import { fewAtOnce } from '../kit/few-at-once';
import type { RedisClient } from '../kit/redis';

export interface Waits {
  /** Adds to each record that is not done which parts of it wait, and why. */
  tell(records: readonly PushRecord[]): Promise<readonly PushRecord[]>;
  /** What a push would meet at profiles of a channel that begins to send now, in the order given. */
  ahead(channel: string, pushes: readonly PushAhead[]): Promise<readonly (WaitAhead | 'discarding' | undefined)[]>;
}

export interface PushAhead extends AppProfile {
  readonly pushTime: number;
  /** It names its devices. */
  readonly isDirect: boolean;
}

/** Why a push would wait. Without a time, until an operator acts. */
export interface WaitAhead {
  readonly reason: WaitReason;
  readonly until?: number;
  /** Devices that were not tried yet do not wait. */
  readonly isOfPages?: boolean;
}

interface Parts {
  readonly redis: RedisClient;
  readonly keys: PushKeys;
  readonly pacing: PacingStore;
  readonly now: () => number;
}

export function openWaits(parts: Parts): Waits {
  const { redis, keys, now } = parts;
  return {
    async tell(records) {
      const states = new Map<string, Promise<ChannelState>>();
      const stateOf = (channel: string): Promise<ChannelState> => {
        const known = states.get(channel) ?? readState(parts, channel);
        states.set(channel, known);
        return known;
      };
      return fewAtOnce(records, async (record) => {
        if (record.status !== 'in-queue') return record;
        const work = await readWaitingWork({ redis, keys }, record.objectId);
        const reasons = await Promise.all(
          work.map(async (each) => reasonFor(await stateOf(each.channel), record, each)),
        );
        const underWay = await Promise.all(
          work.map(async (each) => callsOf(await stateOf(each.channel), record, each)),
        );
        const isOver = mustEnd(record, now());
        const waiting = work.flatMap((each, i) => [
          ...(underWay[i] ?? []),
          ...(isOver ? [] : waitOf(record, each, { why: reasons[i], underWay: underWay[i] })),
        ]);
        return waiting.length === 0 ? record : { ...record, waiting };
      });
    },
    async ahead(channel, pushes) {
      const state = await readState(parts, channel);
      return pushes.map((push) => {
        if (controlFor(state.controls, push)?.state === 'discarding') return 'discarding';
        return reasonFor(state, { ...push, objectId: '' }, { ...push, ...UNTRIED, estimatedDoneAt: undefined });
      });
    },
  };
}

/** No vendor is called for this push any more: only calls that were made before are left. */
const mustEnd = ({ isCancelled, expiresAt }: PushRecord, now: number): boolean =>
  isCancelled === true || expiresAt <= now;

interface ChannelState {
  readonly controls: readonly Control[];
  readonly breakers: Awaited<ReturnType<PacingStore['breakers']['list']>>;
  readonly holds: Awaited<ReturnType<PacingStore['pushHolds']['list']>>;
  readonly slowCalls: Awaited<ReturnType<PacingStore['slowCalls']['list']>>;
  readonly vendorWaits: Awaited<ReturnType<PacingStore['vendorWaits']['list']>>;
  readonly now: number;
}

async function readState({ pacing, now }: Parts, channel: string): Promise<ChannelState> {
  const at = now();
  const [controls, breakers, holds, slowCalls, vendorWaits] = await Promise.all([
    pacing.controls.list(channel),
    pacing.breakers.list(channel),
    pacing.pushHolds.list(channel),
    pacing.slowCalls.list(channel, at),
    pacing.vendorWaits.list(channel, at),
  ]);
  return { controls, breakers, holds, slowCalls, vendorWaits, now: at };
}

const UNTRIED: Pick<WaitingWork, 'lastPage'> = { lastPage: { dueAt: 0, booksAs: undefined } };

/** In the order in which a worker checks them. */
function reasonFor(
  state: ChannelState,
  record: Pick<PushRecord, 'app' | 'objectId' | 'pushTime'>,
  work: Pick<WaitingWork, 'profile' | 'isDirect' | 'lastPage' | 'estimatedDoneAt'>,
): WaitAhead | undefined {
  const of = { app: record.app, profile: work.profile };
  const control = controlFor(state.controls, of);
  if (control && !isServed(control, record)) return whyDecided(control);
  const breaker = state.breakers.find(isFor(of))?.breaker;
  if (breaker && breaker.state !== 'closed') return { reason: 'breaker-open', until: breaker.probeAt };
  const isTriedAlone = work.isDirect && work.lastPage.booksAs !== 'quota-exceeded';
  const told = isTriedAlone ? undefined : whatTheVendorSaid(state, { ...of, pushId: record.objectId });
  return told ?? untilItsTime(state, work);
}

/** What goes on at a time that the service knows itself. */
function untilItsTime(
  { now }: Pick<ChannelState, 'now'>,
  { lastPage, estimatedDoneAt = 0 }: Pick<WaitingWork, 'lastPage' | 'estimatedDoneAt'>,
): WaitAhead | undefined {
  if (estimatedDoneAt > now) return { reason: 'budget-spent', until: estimatedDoneAt };
  return lastPage.dueAt > now ? whyLater(lastPage) : undefined;
}

/** Discarded work does not wait. */
const whyDecided = ({ state }: Control): WaitAhead | undefined =>
  state === 'discarding' ? undefined : { reason: state };

const isFor =
  ({ app, profile }: AppProfile) =>
  (other: AppProfile): boolean =>
    other.app === app && other.profile === profile;

/** Stored pages that were tried, and are tried again at their time. */
const whyLater = ({ dueAt, booksAs }: WaitingWork['lastPage']): WaitAhead => ({
  reason: WHY_LATER.get(booksAs) ?? 'retrying',
  until: dueAt,
  isOfPages: true,
});

/** By how devices are booked that a fault keeps waiting until their push expires. */
const WHY_LATER: ReadonlyMap<Reason | undefined, WaitReason> = new Map([
  ['quota-exceeded', 'quota-exceeded'],
  ['expired', 'throttled'],
  ['unrecognised-answer', 'unrecognised-answer'],
]);

/** Holds and waits of a vendor stop campaigns, and messages that met a spent quota; other addressed messages are tried. */
function whatTheVendorSaid({ holds, vendorWaits, now }: ChannelState, of: PushOfProfile): WaitAhead | undefined {
  const held = holds.filter(isFor(of)).find(({ pushId }) => pushId === of.pushId)?.hold;
  if (held && held.until > now) return { reason: 'unrecognised-answer', until: held.until };
  const asked = vendorWaits.find(isFor(of));
  return asked && { reason: asked.reason, until: asked.until };
}

/** Calls without an answer, even of a push that was cancelled or expired meanwhile. */
function callsOf(
  { slowCalls }: ChannelState,
  { app, objectId }: PushRecord,
  work: WaitingWork,
): readonly RecordedWait[] {
  const { channel, profile } = work;
  const calls = slowCalls.filter(isFor({ app, profile })).filter(({ pushId }) => pushId === objectId);
  if (calls.length === 0) return [];
  const devices = calls.reduce((total, call) => total + call.devices, 0);
  const until = Math.max(...calls.map((call) => call.until));
  return [{ channel, profile, reason: 'under-way', until, devices }];
}

function waitOf(
  { channels, expiresAt }: PushRecord,
  { channel, profile, hasPages, hasLanes }: WaitingWork,
  { why, underWay = [] }: { why: WaitAhead | undefined; underWay: readonly RecordedWait[] | undefined },
): readonly RecordedWait[] {
  if (!why) return [];
  const books = channels[channel];
  // Books are kept by channel and not by profile: every profile shows all devices that the channel has left.
  const ahead = hasLanes && books && why.isOfPages !== true ? Math.max(0, books.expected - books.matched) : 0;
  const paged = hasPages ? (books?.outstanding ?? 0) : 0;
  const until = Math.min(why.until ?? expiresAt, expiresAt);
  const called = underWay.reduce((total, { devices }) => total + devices, 0);
  return [{ channel, profile, reason: why.reason, until, devices: Math.max(0, paged + ahead - called) }];
}
