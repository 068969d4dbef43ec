import type { LeaseStore } from '../../kit/leases';
import type { Places } from '../read';
import { covers, leastOf, minus, mostOf, NOTHING, plus, type Amount } from './amount';
import { AppFull } from './app-full';
import type { Ceiling } from './ceilings';
import { evictionFor, type Demand, type Eviction } from './eviction';
import { inTurn } from './in-turn';
import { readUsage, type Usage } from './usage';

export interface MakeRoomPorts extends Places {
  readonly leases: LeaseStore;
  /** Removes unconfirmed installations until so much is free, as far as there are some; resolves with what was freed. */
  evict(app: string, eviction: Eviction): Promise<Amount>;
  onEvicted(app: string, count: number): Promise<void>;
}

/** What a process may store before it looks again, and why it may not store what it wanted. */
export interface RoomFound extends Amount {
  readonly full?: AppFull;
}

/**
 * A part of what is left, so that several processes do not pass the ceiling together, and never so much that what the others
 * store meanwhile would matter.
 */
const PART = 16;
export const MOST: Amount = { installations: 10_000, bytes: 16 * 1024 * 1024 };

const ROUNDS = 8;

/** Looks how much room there is, and evicts unconfirmed installations where it is not enough. */
export async function makeRoom(ports: MakeRoomPorts, app: string, demand: Demand): Promise<RoomFound> {
  const found = roomIn(await readUsage(ports, app), demand);
  // Processes that look at the same time would each evict what is enough for all of them.
  return found ?? inTurn(ports.leases, `room ${app}`, () => evictFor(ports, app, demand));
}

async function evictFor(ports: MakeRoomPorts, app: string, demand: Demand): Promise<RoomFound> {
  const { ceiling, want, most } = demand;
  for (let round = 0; ; round += 1) {
    const usage = await readUsage(ports, app);
    const found = roomIn(usage, demand);
    if (found) return found;
    const left = minus(ceiling, usage);
    if (round === ROUNDS) return refusal(left, demand);
    const freed = await ports.evict(app, evictionFor(usage, demand));
    if (freed.installations > 0) await ports.onEvicted(app, freed.installations);
    const after = plus(left, freed);
    // What a process freed is its own.
    if (covers(after, most)) return leastOf(after, mostOf(want, freed));
    // A ceiling that was lowered is reached by and by: who makes as much room as it takes is served.
    if (freed.installations > 0 && covers(freed, most)) return most;
  }
}

/** Undefined: there is not enough until something is evicted. */
function roomIn(usage: Usage, demand: Demand): RoomFound | undefined {
  const left = minus(demand.ceiling, usage);
  if (covers(left, demand.want)) return leastOf(left, mostOf(demand.want, partOf(left)));
  return usage.unconfirmed === 0 ? refusal(left, demand) : undefined;
}

const refusal = (left: Amount, { ceiling, want }: Demand): RoomFound => ({
  ...mostOf(NOTHING, left),
  full: fullOf(ceiling, minus(left, want)),
});

const partOf = ({ installations, bytes }: Amount): Amount =>
  leastOf(MOST, { installations: Math.ceil(installations / PART), bytes: Math.ceil(bytes / PART) });

const fullOf = (ceiling: Ceiling, left: Amount): AppFull =>
  left.installations < 0
    ? new AppFull('installations', ceiling.installations)
    : new AppFull('installationsBytes', ceiling.bytes);
