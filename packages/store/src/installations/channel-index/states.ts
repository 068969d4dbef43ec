import { replaceField } from '../../kit/compare';
import { recordIn } from '../../kit/damaged-record';
import type { IndexParts } from './entries';

/** How far the index of an app's channels is checked against its records. */
export interface ChannelIndexState {
  /** The pass under way began then, and has come to this shard; absent: none is under way. */
  readonly begunAt?: number;
  readonly shard?: number;
  /** Entries that the pass under way, or the last one, found missing. */
  readonly missing: number;
  /** The last pass that found nothing missing began then. */
  readonly soundSince?: number;
  /** The next pass begins then. */
  readonly dueAt: number;
}

export interface IndexProgress extends ChannelIndexState {
  readonly isSound: boolean;
  /** A pass is under way, or begins now. */
  readonly isDue: boolean;
}

/** The state together with its text: an older pass that goes on is refused its next step. */
export interface HeldState {
  readonly state: ChannelIndexState;
  readonly text: string;
}

/** What the fleet knows of processes that save without writing the index: those of an earlier version. */
interface FleetState {
  /** There may have been some until then. */
  readonly since: number;
  /** A process that writes the index was there. */
  readonly seenAt: number;
  /** The same as `since` for the indexes of columns, which an earlier version that writes the index of channels leaves out. */
  readonly columnsSince?: number;
}

/**
 * Processes of an earlier version are gone so long after the first of this one. It is also how long all of this version
 * may be away before one of an earlier version may have been in their place.
 */
export const SETTLE_MS = 600_000;
const SEEN_EVERY_MS = 10_000;

const FLEET = 'fleet';
const fieldOf = (app: string): string => `${app} channels`;

const NEW_STATE: HeldState = { state: { missing: 0, dueAt: 0 }, text: '' };

/** One that is damaged begins anew: its pass finds what is missing. */
function decode(text: string | null | undefined): HeldState {
  if (typeof text !== 'string') return NEW_STATE;
  const found = recordIn(text) as ChannelIndexState | undefined;
  return { state: Number.isFinite(found?.dueAt) && found ? found : NEW_STATE.state, text };
}

/** Where it is damaged, nobody is known to have been there. */
function fleetIn(text: string | null | undefined): FleetState | undefined {
  const fleet = recordIn(text ?? '') as FleetState | undefined;
  return Number.isFinite(fleet?.since) && Number.isFinite(fleet?.seenAt) ? fleet : undefined;
}

export const isDue = ({ begunAt, dueAt }: ChannelIndexState, now: number): boolean =>
  begunAt !== undefined || dueAt <= now;

export async function readState({ redis, keys }: IndexParts, app: string): Promise<HeldState> {
  return decode(await redis.hget(keys.channelIndexes(), fieldOf(app)));
}

/** Undefined when another has gone on with the pass. */
export async function step(
  { redis, keys }: IndexParts,
  app: string,
  { from, to }: { from: HeldState; to: ChannelIndexState },
): Promise<HeldState | undefined> {
  const text = JSON.stringify(to);
  const isMine = await replaceField(redis, {
    hash: keys.channelIndexes(),
    field: fieldOf(app),
    from: from.text,
    to: text,
  });
  return isMine ? { state: to, text } : undefined;
}

/**
 * Whether every subscription of an app is in its index: a whole pass over its records, begun when only processes that write
 * the index were left, found nothing missing, and none of an earlier version can have come since.
 */
export async function isSound({ redis, keys }: IndexParts, app: string, now: number): Promise<boolean> {
  const [text, own] = await redis.hmget(keys.channelIndexes(), FLEET, fieldOf(app));
  const fleet = fleetIn(text);
  if (!fleet) return false;
  const { soundSince } = decode(own).state;
  return soundSince !== undefined && soundSince >= settledAt(fleet) && !wasAway(fleet, now);
}

/** Of every app that was looked at so far. */
export async function readStates(
  { redis, keys }: IndexParts,
  now: number,
): Promise<ReadonlyMap<string, IndexProgress>> {
  const { [FLEET]: text, ...fields } = await redis.hgetall(keys.channelIndexes());
  const fleet = fleetIn(text);
  const from = fleet === undefined || wasAway(fleet, now) ? Infinity : settledAt(fleet);
  return new Map(
    Object.entries(fields).map(([field, text]) => {
      const { state } = decode(text);
      const { soundSince = -Infinity } = state;
      const told = { ...state, isSound: soundSince >= from, isDue: isDue(state, now) };
      return [field.slice(0, field.indexOf(' ')), told];
    }),
  );
}

/** When a dispatcher was last there, where it is so long ago that every index is in doubt. */
export async function awaySince({ redis, keys }: IndexParts, now: number): Promise<number | undefined> {
  const fleet = fleetIn(await redis.hget(keys.channelIndexes(), FLEET));
  return fleet && wasAway(fleet, now) ? fleet.seenAt : undefined;
}

/** From when on this version is alone; undefined while no process has noted that it is there. */
export async function readSettledAt({ redis, keys }: IndexParts): Promise<number | undefined> {
  const fleet = fleetIn(await redis.hget(keys.channelIndexes(), FLEET));
  return fleet && settledAt(fleet);
}

/** From when on every process keeps the indexes of columns. */
export async function columnsSettledAt({ redis, keys }: IndexParts): Promise<number> {
  const fleet = fleetIn(await redis.hget(keys.channelIndexes(), FLEET));
  return (fleet?.columnsSince ?? Infinity) + SETTLE_MS;
}

const settledAt = ({ since }: FleetState): number => since + SETTLE_MS;

/** Notes that this version is there; resolves with the time from which on it is alone. */
export async function noteFleet(
  { redis, keys }: IndexParts,
  { now, isFresh }: { now: number; isFresh: () => Promise<boolean> },
): Promise<number> {
  const known = fleetIn(await redis.hget(keys.channelIndexes(), FLEET));
  const isNoted = known?.columnsSince !== undefined && now - known.seenAt < SEEN_EVERY_MS;
  if (isNoted) return settledAt(known);
  const next = known ? seenAgain(known, now) : seenFirst((await isFresh()) ? now - SETTLE_MS : now, now);
  await redis.hset(keys.channelIndexes(), FLEET, JSON.stringify(next));
  return settledAt(next);
}

const seenFirst = (since: number, now: number): FleetState => ({ since, seenAt: now, columnsSince: since });

const wasAway = ({ seenAt }: FleetState, now: number): boolean => now - seenAt > SETTLE_MS;

function seenAgain(fleet: FleetState, now: number): FleetState {
  if (wasAway(fleet, now)) return seenFirst(now, now);
  return { since: fleet.since, seenAt: now, columnsSince: fleet.columnsSince ?? now };
}
