import type { Places } from '../read';
import { covers, leastOf, minus, mostOf, NOTHING, plus, type Amount } from './amount';
import { AppFull } from './app-full';
import type { Ceiling } from './ceilings';
import { evictionFor, type Demand, type Eviction } from './eviction';
import { readUsage } from './usage';

export interface MakeRoomPorts extends Places {
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
  const { ceiling, want, most } = demand;
  for (let round = 0; ; round += 1) {
    const usage = await readUsage(ports, app);
    const left = minus(ceiling, usage);
    if (covers(left, want)) return leastOf(left, mostOf(want, partOf(left)));
    if (usage.unconfirmed === 0 || round === ROUNDS)
      return { ...mostOf(NOTHING, left), full: fullOf(ceiling, minus(left, want)) };
    const freed = await ports.evict(app, evictionFor(usage, demand));
    if (freed.installations > 0) await ports.onEvicted(app, freed.installations);
    const after = plus(left, freed);
    // What a process freed is its own.
    if (covers(after, most)) return leastOf(after, mostOf(want, freed));
    // A ceiling that was lowered is reached by and by: who makes as much room as it takes is served.
    if (freed.installations > 0 && covers(freed, most)) return most;
  }
}

const partOf = ({ installations, bytes }: Amount): Amount =>
  leastOf(MOST, { installations: Math.ceil(installations / PART), bytes: Math.ceil(bytes / PART) });

const fullOf = (ceiling: Ceiling, left: Amount): AppFull =>
  left.installations < 0
    ? new AppFull('installations', ceiling.installations)
    : new AppFull('installationsBytes', ceiling.bytes);
