import { plainJsonIn } from '@pushfleet/domain';
import { z } from 'zod';
import { isDone, luaScript, nothing } from '../kit/lua/script';
import { mastersOf } from '../kit/redis-settings';
import { UNMARKED_FORMAT } from './migrations';
import { type MigrationParts, type MigrationStep } from './migration';
import { damagedFormat } from './wrong-format';

/** What Redis holds about its own format. */
export interface StoredFormat {
  /** Of the data: every migration up to it has ended. */
  readonly data: number;
  /** The least format of a process that can work with them. */
  readonly accepts: number;
  /** Of the migration under way. */
  readonly step: MigrationStep | undefined;
}

const mark = luaScript('format/mark', {
  params: { format: 'key', data: 'text', accepts: 'text' },
  answer: isDone,
});

const goOn = luaScript('format/replace', {
  params: { format: 'key', fromData: 'text', fromStep: 'text', data: 'text', accepts: 'text', step: 'text' },
  answer: nothing,
});

const SCAN_COUNT = 1000;
/** Attempts to agree while other processes decide at the same time. */
const MAX_RACES = 20;

const textOf = (step: MigrationStep | undefined): string => (step ? JSON.stringify(step) : '');

const UNMARKED: StoredFormat = { data: UNMARKED_FORMAT, accepts: UNMARKED_FORMAT, step: undefined };

/** Marks data without a format; an empty Redis gets the format of this version. */
export function openFormatState(parts: MigrationParts, own: StoredFormat) {
  const { redis, keys } = parts;
  const key = keys.format();
  return {
    async read(): Promise<StoredFormat> {
      for (let race = 0; race < MAX_RACES; race += 1) {
        const fields = await redis.hgetall(key);
        if (fields['data'] !== undefined) return storedIn(key, fields);
        const found = (await isEmpty(parts)) ? own : UNMARKED;
        if (await mark(redis, { format: key, data: found.data, accepts: found.accepts })) return found;
      }
      throw new Error(`the format of the data was changed by others ${MAX_RACES} times`);
    },
    /** 0 as long as there is no mark. */
    data: async (): Promise<number> => Number(await redis.hget(key, 'data')),
    async replace(from: StoredFormat, to: StoredFormat): Promise<void> {
      await goOn(redis, {
        format: key,
        fromData: from.data,
        fromStep: textOf(from.step),
        data: to.data,
        accepts: to.accepts,
        step: textOf(to.step),
      });
    },
  };
}

type Fields = Readonly<Record<string, string>>;

/** Throws `WrongFormat` where it is damaged: nobody knows then what the data are. */
function storedIn(key: string, fields: Fields): StoredFormat {
  const numberIn = (field: string): number => {
    const text = fields[field] ?? '';
    if (!/^\d{1,9}$/.test(text)) throw damagedFormat(key, field);
    return Number(text);
  };
  const { step } = fields;
  const parsed = step === undefined ? undefined : stepSchema.safeParse(plainJsonIn(step));
  if (parsed && !parsed.success) throw damagedFormat(key, 'step');
  return { data: numberIn('data'), accepts: numberIn('accepts'), step: parsed?.data };
}

const stepSchema = z.object({ cursor: z.string(), done: z.number(), of: z.number() });

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
