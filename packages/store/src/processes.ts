import { FORMAT } from './format/migrations';
import type { Keys } from './keys';
import { defineScript, runScript, type RedisClient } from './redis';

/** A living process of the fleet. */
export interface FleetProcess {
  readonly id: string;
  readonly role: string;
  /** Tell several processes of a role apart. */
  readonly labels: Readonly<Record<string, string>>;
  readonly version: string;
  /** The key that it seals secrets with; a process without one seals nothing. */
  readonly keyId?: string;
  /** Of the data that it writes; the first version to beat did not tell it. */
  readonly format?: number;
  /** Milliseconds since the epoch, by its own clock. */
  readonly since: number;
}

export interface ProcessStore {
  /** A process that does not do so for a while counts as dead. */
  beat(process: FleetProcess): Promise<void>;
  leave(id: string): Promise<void>;
  /** The living ones, by role and labels. */
  list(): Promise<readonly FleetProcess[]>;
}

/** Five beats that are missing. */
const DEAD_AFTER_MS = 15_000;
/** More are not kept: those that beat longest ago go. */
const MAX_PROCESSES = 2000;

/**
 * By the clock of Redis, which all processes share. In a full Redis too: that is when somebody wants to see who lives.
 * KEYS beats, facts; ARGV id, its facts ('' only to look). Answers the facts of the living.
 */
const beatScript = defineScript(`#!lua flags=allow-oom
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if ARGV[2] ~= '' then
  redis.call('ZADD', KEYS[1], now, ARGV[1])
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
end
local dead = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now - ${DEAD_AFTER_MS}, 'LIMIT', 0, 1000)
for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, -${MAX_PROCESSES + 1})) do dead[#dead + 1] = id end
if #dead > 0 then
  redis.call('ZREM', KEYS[1], unpack(dead))
  redis.call('HDEL', KEYS[2], unpack(dead))
end
redis.call('PEXPIRE', KEYS[1], ${4 * DEAD_AFTER_MS})
redis.call('PEXPIRE', KEYS[2], ${4 * DEAD_AFTER_MS})
return ARGV[2] == '' and redis.call('HVALS', KEYS[2]) or {}`);

/** KEYS beats, facts; ARGV id. */
const leaveScript = defineScript(`
redis.call('ZREM', KEYS[1], ARGV[1])
return redis.call('HDEL', KEYS[2], ARGV[1])`);

interface Parts {
  readonly redis: RedisClient;
  readonly keys: Keys;
  /** The key that this process seals with. */
  readonly keyId: string | undefined;
}

export function openProcesses({ redis, keys, keyId }: Parts): ProcessStore {
  const board = [keys.processes(), `${keys.processes()}:facts`];
  return {
    async beat(process) {
      const facts: FleetProcess = { format: FORMAT, ...process, ...(keyId === undefined ? {} : { keyId }) };
      await runScript(redis, beatScript, { keys: board, args: [process.id, JSON.stringify(facts)] });
    },
    leave: async (id) => void (await runScript(redis, leaveScript, { keys: board, args: [id] })),
    async list() {
      const texts = (await runScript(redis, beatScript, { keys: board, args: ['', ''] })) as readonly string[];
      return texts.map((text) => JSON.parse(text) as FleetProcess).sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
    },
  };
}

const nameOf = ({ role, labels, id }: FleetProcess): string => [role, ...Object.values(labels), id].join(' ');
