import type { Keys } from '../keys';
import { defineScript, runScript, type RedisClient, type Script } from '../redis';

/**
 * Which texts there may be. `old`: of an earlier release, which must be able to read what is written. `both`: they are being
 * rewritten. `required`: every text is bound to its place, and others are refused.
 */
export type SealingPhase = 'old' | 'both' | 'required';

export interface ResealProgress {
  readonly startedAt: number;
  readonly updatedAt: number;
  /** Secrets looked at in this pass, of so many. */
  readonly done: number;
  readonly total: number;
  readonly rewritten: number;
  readonly passes: number;
}

export interface LastReseal {
  readonly keyId: string;
  readonly endedAt: number;
  readonly rewritten: number;
  /** Secrets that no key at hand opens. */
  readonly unreadable: number;
}

/** What the processes of a fleet agree on about sealing, as it stands in Redis. */
export interface StoredState {
  /** The key that every process seals with. */
  readonly writes: string;
  /** By key id, a text that this key alone opens: it tells the phase. */
  readonly sentinels: ReadonlyMap<string, string>;
  /** Something was sealed with it. */
  readonly used: ReadonlySet<string>;
  readonly reseal: ResealProgress | undefined;
  readonly last: LastReseal | undefined;
}

/** In a full Redis too: nobody serves who cannot prove its key. */
const defineStateScript = (lua: string): Script =>
  defineScript(`#!lua flags=allow-oom
${lua}`);

/** KEYS state; ARGV key, its sentinel, 1 when something was sealed with it. The first to come decides. */
const foundScript = defineStateScript(`
local writes = redis.call('HGET', KEYS[1], 'writes')
if writes and redis.call('HEXISTS', KEYS[1], 'sentinel:' .. writes) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'writes', ARGV[1], 'sentinel:' .. ARGV[1], ARGV[2])
if ARGV[3] == '1' then redis.call('HSET', KEYS[1], 'used:' .. ARGV[1], 1) end
return 1`);

/**
 * Nothing was sealed with the key that stands there: whoever comes with another takes its place.
 * KEYS state; ARGV present key, key, sentinel.
 */
const takeOverScript = defineStateScript(`
if redis.call('HGET', KEYS[1], 'writes') ~= ARGV[1] then return 0 end
if redis.call('HEXISTS', KEYS[1], 'used:' .. ARGV[1]) == 1 then return 0 end
redis.call('HDEL', KEYS[1], 'sentinel:' .. ARGV[1])
redis.call('HSET', KEYS[1], 'writes', ARGV[2], 'sentinel:' .. ARGV[2], ARGV[3])
return 1`);

/** Before a key seals for the first time. 0: another key is the one to seal with. KEYS state; ARGV key. */
const useScript = defineStateScript(`
if redis.call('HGET', KEYS[1], 'writes') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'used:' .. ARGV[1], 1)
return 1`);

/** KEYS state; ARGV field, text. */
const noteScript = defineStateScript(`return redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])`);

/** KEYS state; ARGV key, sentinel, progress. */
const beginScript = defineStateScript(`
redis.call('HSET', KEYS[1], 'writes', ARGV[1], 'sentinel:' .. ARGV[1], ARGV[2], 'used:' .. ARGV[1], 1, 'reseal', ARGV[3])
return 1`);

/** Nothing is sealed with the other keys any more: nobody needs their sentinels. KEYS state; ARGV key, sentinel, summary. */
const endScript = defineStateScript(`
if redis.call('HGET', KEYS[1], 'writes') ~= ARGV[1] then return 0 end
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  if string.find(field, '^sentinel:') or string.find(field, '^used:') then redis.call('HDEL', KEYS[1], field) end
end
redis.call('HSET', KEYS[1], 'sentinel:' .. ARGV[1], ARGV[2], 'used:' .. ARGV[1], 1, 'last', ARGV[3])
redis.call('HDEL', KEYS[1], 'reseal')
return 1`);

export type SealingStateStore = ReturnType<typeof openSealingState>;

export function openSealingState({ redis, keys }: { readonly redis: RedisClient; readonly keys: Keys }) {
  const key = keys.sealing();
  const run = async (script: Script, ...args: readonly (string | number)[]): Promise<boolean> =>
    (await runScript(redis, script, { keys: [key], args })) === 1;
  return {
    async read(): Promise<StoredState | undefined> {
      const { writes, reseal, last, ...fields } = await redis.hgetall(key);
      if (writes === undefined) return undefined;
      const named = (prefix: string): readonly (readonly [string, string])[] =>
        Object.entries(fields).flatMap(([name, value]) =>
          name.startsWith(prefix) ? [[name.slice(prefix.length), value] as const] : [],
        );
      return {
        writes,
        sentinels: new Map(named('sentinel:')),
        used: new Set(named('used:').map(([id]) => id)),
        reseal: reseal === undefined ? undefined : (JSON.parse(reseal) as ResealProgress),
        last: last === undefined ? undefined : (JSON.parse(last) as LastReseal),
      };
    },
    found: (id: string, sentinel: string, isUsed: boolean) => run(foundScript, id, sentinel, isUsed ? 1 : 0),
    takeOver: (present: string, id: string, sentinel: string) => run(takeOverScript, present, id, sentinel),
    use: (id: string) => run(useScript, id),
    addSentinel: (id: string, sentinel: string) => run(noteScript, `sentinel:${id}`, sentinel),
    begin: (id: string, sentinel: string, progress: ResealProgress) =>
      run(beginScript, id, sentinel, JSON.stringify(progress)),
    note: (progress: ResealProgress) => run(noteScript, 'reseal', JSON.stringify(progress)),
    end: (id: string, sentinel: string, summary: LastReseal) => run(endScript, id, sentinel, JSON.stringify(summary)),
  };
}
