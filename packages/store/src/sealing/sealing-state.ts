import { LAST_DATE_MS, plainJsonIn } from '@pushfleet/domain';
import { z } from 'zod';
import type { SealingKeys } from './keys';
import { isDone, luaScript } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';

/**
 * Which texts the fleet may hold. `old`: earlier releases run, and must be able to read new texts. `both`: texts are being
 * rewritten. `required`: every text is bound to its place, and others are refused.
 */
export type SealingPhase = 'old' | 'both' | 'required';

export interface ResealProgress {
  readonly startedAt: number;
  readonly updatedAt: number;
  /** Secrets that this pass has checked, and how many there are. */
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
  /** By key id, a text that only this key opens and that tells the phase. */
  readonly sentinels: ReadonlyMap<string, string>;
  /** Keys that something was sealed with. */
  readonly used: ReadonlySet<string>;
  readonly reseal: ResealProgress | undefined;
  readonly last: LastReseal | undefined;
  /** Of the two above, those that cannot be read. They count as absent: no secret depends on them, and the next reseal writes both. */
  readonly damaged: readonly ('reseal' | 'last')[];
}

/** Fields of the state; a key id follows those that end with a colon. */
const SEALING = { writes: 'writes', sentinel: 'sentinel:', used: 'used:', reseal: 'reseal', last: 'last' } as const;

const constants = { SEALING };
const KEY = { state: 'key', id: 'text' } as const;
const KEY_WITH_SENTINEL = { ...KEY, sentinel: 'text' } as const;

const found = luaScript('sealing/found', {
  params: { ...KEY_WITH_SENTINEL, isUsed: 'text' },
  constants,
  answer: isDone,
});
const takeOver = luaScript('sealing/take-over', {
  params: { state: 'key', present: 'text', id: 'text', sentinel: 'text' },
  constants,
  answer: isDone,
});
const use = luaScript('sealing/use', { params: KEY, constants, answer: isDone });
const addSentinel = luaScript('sealing/add-sentinel', { params: KEY_WITH_SENTINEL, constants, answer: isDone });
const note = luaScript('sealing/note', { params: { state: 'key', field: 'text', text: 'text' }, answer: isDone });
const begin = luaScript('sealing/begin', {
  params: { ...KEY_WITH_SENTINEL, progress: 'text' },
  constants,
  answer: isDone,
});
const finish = luaScript('sealing/finish', {
  params: { ...KEY_WITH_SENTINEL, summary: 'text' },
  constants,
  answer: isDone,
});

const count = z.int().min(0);
const date = count.max(LAST_DATE_MS);
const progressSchema = z.object({
  startedAt: date,
  updatedAt: date,
  done: count,
  total: count,
  rewritten: count,
  passes: count,
});
const summarySchema = z.object({ keyId: z.string(), endedAt: date, rewritten: count, unreadable: count });

const readNote = <T>(text: string | undefined, schema: z.ZodType<T>): T | undefined =>
  text === undefined ? undefined : schema.safeParse(plainJsonIn(text)).data;

export type SealingStateStore = ReturnType<typeof openSealingState>;

export function openSealingState({ redis, keys }: { readonly redis: RedisClient; readonly keys: SealingKeys }) {
  const state = keys.sealing();
  return {
    async read(): Promise<StoredState | undefined> {
      const { writes, reseal, last, ...fields } = await redis.hgetall(state);
      if (writes === undefined) return undefined;
      const named = (prefix: string): readonly (readonly [string, string])[] =>
        Object.entries(fields).flatMap(([name, value]) =>
          name.startsWith(prefix) ? [[name.slice(prefix.length), value] as const] : [],
        );
      const [progress, summary] = [readNote(reseal, progressSchema), readNote(last, summarySchema)];
      return {
        writes,
        sentinels: new Map(named(SEALING.sentinel)),
        used: new Set(named(SEALING.used).map(([id]) => id)),
        reseal: progress,
        last: summary,
        damaged: [
          ...(reseal !== undefined && !progress ? ['reseal' as const] : []),
          ...(last !== undefined && !summary ? ['last' as const] : []),
        ],
      };
    },
    found: (id: string, sentinel: string, isUsed: boolean) =>
      found(redis, { state, id, sentinel, isUsed: isUsed ? 1 : 0 }),
    takeOver: (present: string, id: string, sentinel: string) => takeOver(redis, { state, present, id, sentinel }),
    use: (id: string) => use(redis, { state, id }),
    addSentinel: (id: string, sentinel: string) => addSentinel(redis, { state, id, sentinel }),
    begin: (id: string, sentinel: string, progress: ResealProgress) =>
      begin(redis, { state, id, sentinel, progress: JSON.stringify(progress) }),
    note: (progress: ResealProgress) => note(redis, { state, field: SEALING.reseal, text: JSON.stringify(progress) }),
    end: (id: string, sentinel: string, summary: LastReseal) =>
      finish(redis, { state, id, sentinel, summary: JSON.stringify(summary) }),
  };
}
