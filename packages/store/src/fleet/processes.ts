import type { FleetClock } from './fleet-clock';
import type { ProcessKeys } from './keys';
import { recordIn } from '../kit/damaged-record';
import { luaScript, nothing } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';

/** A living process of the fleet. */
export interface FleetProcess {
  readonly id: string;
  readonly role: string;
  /** Labels tell several processes of one role apart. */
  readonly labels: Readonly<Record<string, string>>;
  readonly version: string;
  /** The key that the process seals secrets with; absent where the process seals nothing. */
  readonly keyId?: string;
  /** The format of the data that the process writes; the first version with beats did not report it. */
  readonly format?: number;
  /** The version of the settings that the process works with; the first version with beats did not report it. */
  readonly settings?: number;
  /** When the certificate that the process shows runs out; absent where it shows none. Milliseconds since the epoch. */
  readonly certificateEndsAt?: number;
  /** The proxies in front that the process trusts; absent where it has no public port. */
  readonly proxyHops?: number;
  /** Milliseconds since the epoch, by the clock of the process. */
  readonly since: number;
  /**
   * How far its clock was ahead of that of Redis when its beat arrived; the way there makes it up to seconds less. Builds before this one
   * do not report it.
   */
  readonly clockAheadMs?: number;
}

export interface ProcessStore {
  /** A process without a beat for a while counts as dead. */
  beat(process: FleetProcess): Promise<void>;
  leave(id: string): Promise<void>;
  /** The living ones, by role and labels. */
  list(): Promise<readonly FleetProcess[]>;
}

/** Five missed beats. */
const DEAD_AFTER_MS = 15_000;
/** Of more processes, those with the oldest beats are dropped. */
const MAX_PROCESSES = 2000;

/** What a process tells with a beat: `clock` is its own at that moment. */
type Told = Omit<FleetProcess, 'clockAheadMs'> & { readonly clock?: number };

const heard = ({ clock, ...process }: Told, heardAt: number): FleetProcess =>
  clock === undefined ? process : { ...process, clockAheadMs: clock - heardAt };

const beatProcess = luaScript('fleet/beat', {
  params: { beats: 'key', facts: 'key', id: 'text', told: 'text' },
  constants: { DEAD_AFTER_MS, MAX_PROCESSES },
  answer: Number,
});

const livingProcesses = luaScript('fleet/living', {
  params: { beats: 'key', facts: 'key' },
  constants: { DEAD_AFTER_MS },
  answer: (living: readonly (readonly [told: string, heardAt: string])[]): readonly FleetProcess[] =>
    // What is damaged is written anew with the next beat.
    living.flatMap(([text, heardAt]) => {
      const told = recordIn(text) as Told | undefined;
      return told ? [heard(told, Number(heardAt))] : [];
    }),
});

const leaveFleet = luaScript('fleet/leave', {
  params: { beats: 'key', facts: 'key', id: 'text' },
  answer: nothing,
});

interface Parts {
  readonly redis: RedisClient;
  readonly keys: ProcessKeys;
  /** The key that this process seals with. */
  readonly keyId: string | undefined;
  /** Of the data that this version writes. */
  readonly format: number;
  /** The version of the settings that this process works with. */
  readonly settings: () => number | undefined;
  readonly clock: Pick<FleetClock, 'own' | 'hear'>;
}

export function openProcesses({ redis, keys, keyId, format, settings, clock }: Parts): ProcessStore {
  const board = { beats: keys.processes(), facts: `${keys.processes()}:facts` };
  return {
    async beat(process) {
      const askedAt = clock.own();
      const told: Told = {
        format,
        ...process,
        clock: askedAt,
        ...(keyId === undefined ? {} : { keyId }),
        ...(settings() === undefined ? {} : { settings: settings() }),
      };
      clock.hear(askedAt, await beatProcess(redis, { ...board, id: process.id, told: JSON.stringify(told) }));
    },
    leave: (id) => leaveFleet(redis, { ...board, id }),
    async list() {
      const living = await livingProcesses(redis, board);
      return living.toSorted((a, b) => (processName(a) < processName(b) ? -1 : 1));
    },
  };
}

/** As operators are told which one is meant. */
export const processName = ({ role, labels, id }: FleetProcess): string =>
  [role, ...Object.values(labels), id].join(' ');
