import { defineScript, runScript } from '../redis';
import { mastersOf } from '../redis-settings';
import { UNMARKED_FORMAT, type MigrationParts, type MigrationStep } from './migrations';

/** What Redis holds about its own format. */
export interface StoredFormat {
  /** Of the data: every migration up to it has ended. */
  readonly data: number;
  /** The least format of a process that can work with them. */
  readonly accepts: number;
  /** Of the migration under way. */
  readonly step: MigrationStep | undefined;
}

/** KEYS format; ARGV format, accepted. The first to come decides. In a full Redis too: nobody starts without it. */
const markScript = defineScript(`#!lua flags=allow-oom
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'data', ARGV[1], 'accepts', ARGV[2])
return 1`);

/** KEYS format; ARGV format and step that were read, format, accepted, step. 0 when somebody else has gone on. */
const replaceScript = defineScript(`#!lua flags=allow-oom
local held = redis.call('HMGET', KEYS[1], 'data', 'step')
if held[1] ~= ARGV[1] or (held[2] or '') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'data', ARGV[3], 'accepts', ARGV[4])
if ARGV[5] == '' then redis.call('HDEL', KEYS[1], 'step') else redis.call('HSET', KEYS[1], 'step', ARGV[5]) end
return 1`);

const SCAN_COUNT = 1000;
/** How often it is looked at again what others decide at the same time. */
const MAX_RACES = 20;

const textOf = (step: MigrationStep | undefined): string => (step ? JSON.stringify(step) : '');

const UNMARKED: StoredFormat = { data: UNMARKED_FORMAT, accepts: UNMARKED_FORMAT, step: undefined };

/** Data that tell no format are marked; an empty Redis gets the format of this version. */
export function openFormatState(parts: MigrationParts, own: StoredFormat) {
  const { redis, keys } = parts;
  const key = keys.format();
  return {
    async read(): Promise<StoredFormat> {
      for (let race = 0; race < MAX_RACES; race += 1) {
        const { data, accepts, step } = await redis.hgetall(key);
        if (data !== undefined)
          return {
            ...{ data: Number(data), accepts: Number(accepts) },
            step: step === undefined ? undefined : (JSON.parse(step) as MigrationStep),
          };
        const found = (await isEmpty(parts)) ? own : UNMARKED;
        const isMarked = await runScript(redis, markScript, { keys: [key], args: [found.data, found.accepts] });
        if (isMarked === 1) return found;
      }
      throw new Error(`the format of the data was changed by others ${MAX_RACES} times`);
    },
    async replace(from: StoredFormat, to: StoredFormat): Promise<void> {
      const args = [from.data, textOf(from.step), to.data, to.accepts, textOf(to.step)];
      await runScript(redis, replaceScript, { keys: [key], args });
    },
  };
}

/** A process marks Redis before it writes anything else there. */
async function isEmpty({ redis, keys }: MigrationParts): Promise<boolean> {
  for (const master of mastersOf(redis)) {
    let cursor = '0';
    do {
      const [next, found] = await master.scan(cursor, 'MATCH', `${keys.namespace}:*`, 'COUNT', SCAN_COUNT);
      if (found.length > 0) return false;
      cursor = next;
    } while (cursor !== '0');
  }
  return true;
}
