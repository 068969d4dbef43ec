import type { PushRecord, RecordedWait, WaitReason } from '@pushfleet/domain';
import type { Keys } from './keys';
import type { ProfileOfChannel } from './pacing/breakers';
import { controlFor, isServed, type Control } from './pacing/controls';
import { estimatesIn, ESTIMATES } from './pacing/estimates';
import type { PacingStore } from './pacing/open-pacing';
import type { PushOfProfile } from './pacing/push-holds';
import { defineScript, runScript, type RedisClient } from './redis';

export interface Waits {
  /** The records, and for those that are not done what of them waits, and why. */
  tell(records: readonly PushRecord[]): Promise<readonly PushRecord[]>;
}

/** What is open of a push for one profile of a channel. */
interface OpenWork {
  readonly channel: string;
  readonly profile: string;
  readonly hasPages: boolean;
  readonly hasLanes: boolean;
  readonly isDirect: boolean;
  /** When a budget will have had room for all of it, milliseconds since the epoch. */
  readonly estimatedDoneAt: number | undefined;
}

const MAX_PAGES = 50;

/**
 * KEYS ledger, record. Answers the estimates, then channel, profile, and whether it has stored pages, open lanes, and pages of
 * the direct queue, for each that has any. Of many pages some tell which profiles they are of.
 * Names and numbers stand in front of what a sender wrote, and a quotation mark of theirs is escaped.
 */
const openWorkScript = defineScript(`
local found, order, pages = {}, {}, 0
local function of(text)
  local channel, profile = string.match(text, '"channel":"([^"]*)"'), string.match(text, '"profile":"([^"]*)"')
  if not channel or not profile then return nil end
  local name = channel .. ' ' .. profile
  if not found[name] then
    found[name] = { channel, profile, 0, 0, 0 }
    order[#order + 1] = name
  end
  return found[name]
end
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  local lane = string.match(field, '^at|(.*)$')
  if lane then
    local work = of(redis.call('HGET', KEYS[1], 'lane|' .. lane) or '')
    if work then work[4] = 1 end
  elseif pages < ${MAX_PAGES} and string.sub(field, 1, 5) == 'page|' then
    pages = pages + 1
    local text = redis.call('HGET', KEYS[1], field)
    local work = of(text)
    if work then
      work[3] = 1
      if string.find(text, '"direct":true', 1, true) then work[5] = 1 end
    end
  end
end
local out = { redis.call('HGET', KEYS[2], '${ESTIMATES}') or '' }
for i, name in ipairs(order) do out[i + 1] = found[name] end
return out`);

interface Parts {
  readonly redis: RedisClient;
  readonly keys: Keys;
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
      return Promise.all(
        records.map(async (record) => {
          if (record.status !== 'in-queue') return record;
          const work = await readWork({ redis, keys }, record.objectId);
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
        }),
      );
    },
  };
}

/** Nobody is called any more: all that is left are calls that were made before. */
const mustEnd = ({ isCancelled, expiresAt }: PushRecord, now: number): boolean =>
  isCancelled === true || expiresAt <= now;

async function readWork({ redis, keys }: Pick<Parts, 'redis' | 'keys'>, pushId: string): Promise<readonly OpenWork[]> {
  const script = { keys: [keys.ledger(pushId), keys.pushRecord(pushId)], args: [] };
  const [estimates, ...rows] = (await runScript(redis, openWorkScript, script)) as readonly [string, ...Row[]];
  const doneAt = estimatesIn(estimates);
  return rows.map(([channel, profile, pages, lanes, direct]) => ({
    ...{ channel, profile, hasPages: pages === 1, hasLanes: lanes === 1, isDirect: direct === 1 },
    estimatedDoneAt: doneAt.get(channel),
  }));
}

type Row = readonly [channel: string, profile: string, pages: number, lanes: number, direct: number];

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

interface Why {
  readonly reason: WaitReason;
  /** Absent: somebody has to act, or the push expires. */
  readonly until?: number;
}

/** In the order in which a worker asks. */
function reasonFor(state: ChannelState, record: PushRecord, work: OpenWork): Why | undefined {
  const of = { app: record.app, profile: work.profile };
  const control = controlFor(state.controls, of);
  if (control && !isServed(control, record)) return whyDecided(control);
  const breaker = state.breakers.find(isFor(of))?.breaker;
  if (breaker && breaker.state !== 'closed') return { reason: 'breaker-open', until: breaker.probeAt };
  const told = work.isDirect ? undefined : whatTheVendorSaid(state, { ...of, pushId: record.objectId });
  const { estimatedDoneAt = 0 } = work;
  const isPaced = estimatedDoneAt > state.now;
  return told ?? (isPaced ? { reason: 'budget-spent', until: estimatedDoneAt } : undefined);
}

/** What is discarded does not wait. */
const whyDecided = ({ state }: Control): Why | undefined => (state === 'discarding' ? undefined : { reason: state });

const isFor =
  ({ app, profile }: ProfileOfChannel) =>
  (other: ProfileOfChannel): boolean =>
    other.app === app && other.profile === profile;

/** Campaigns wait for it; messages are tried all the same. */
function whatTheVendorSaid({ holds, vendorWaits, now }: ChannelState, of: PushOfProfile): Why | undefined {
  const held = holds.filter(isFor(of)).find(({ pushId }) => pushId === of.pushId)?.hold;
  if (held && held.until > now) return { reason: 'unrecognised-answer', until: held.until };
  const asked = vendorWaits.find(isFor(of));
  return asked && { reason: asked.reason, until: asked.until };
}

/** Calls that were made and have no answer, whatever became of the push meanwhile. */
function callsOf({ slowCalls }: ChannelState, { app, objectId }: PushRecord, work: OpenWork): readonly RecordedWait[] {
  const { channel, profile } = work;
  const calls = slowCalls.filter(isFor({ app, profile })).filter(({ pushId }) => pushId === objectId);
  if (calls.length === 0) return [];
  const devices = calls.reduce((total, call) => total + call.devices, 0);
  const until = Math.max(...calls.map((call) => call.until));
  return [{ channel, profile, reason: 'under-way', until, devices }];
}

function waitOf(
  { channels, expiresAt }: PushRecord,
  { channel, profile, hasPages, hasLanes }: OpenWork,
  { why, underWay = [] }: { why: Why | undefined; underWay: readonly RecordedWait[] | undefined },
): readonly RecordedWait[] {
  if (!why) return [];
  const books = channels[channel];
  // Books are kept by channel: of several profiles each is told all that is left.
  const ahead = hasLanes && books ? Math.max(0, books.expected - books.matched) : 0;
  const paged = hasPages ? (books?.outstanding ?? 0) : 0;
  const until = Math.min(why.until ?? expiresAt, expiresAt);
  const called = underWay.reduce((total, { devices }) => total + devices, 0);
  return [{ channel, profile, reason: why.reason, until, devices: Math.max(0, paged + ahead - called) }];
}
