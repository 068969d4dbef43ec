import type { Keys } from '../keys';
import { defineScript, runScript, type RedisClient } from '../redis';

export const PURGE_STEPS = ['pushes', 'installations', 'leftovers'] as const;
export type PurgeStep = (typeof PURGE_STEPS)[number];

/** How far the deletion of an app is; the data is gone through until a pass finds nothing. */
export interface PurgeProgress {
  readonly startedAt: number;
  readonly updatedAt: number;
  readonly pass: number;
  readonly passBeganAt: number;
  readonly step: PurgeStep;
  /** Parts of the step that are done, of so many. */
  readonly done: number;
  readonly of: number;
  readonly removed: Readonly<Record<'pushes' | 'installations' | 'keys', number>>;
  /** Removed in this pass. */
  readonly found: number;
}

export interface PurgeList {
  /** The deletions under way, by app. */
  list(): Promise<ReadonlyMap<string, PurgeProgress>>;
  get(app: string): Promise<PurgeProgress | undefined>;
}

/** An app is gone and its deletion begun in one step. KEYS apps, purges; ARGV app, progress. */
const beginScript = defineScript(`#!lua flags=allow-oom
if redis.call('HDEL', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
return 1`);

/** KEYS apps, purges; ARGV app, text. */
const createScript = defineScript(`
if redis.call('HEXISTS', KEYS[2], ARGV[1]) == 1 then return 0 end
return redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2])`);

/** A deletion that has ended stays ended. KEYS purges; ARGV app, progress. In a full Redis too: it frees memory. */
const noteScript = defineScript(`#!lua flags=allow-oom
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]) end
return 1`);

const parse = (text: string): PurgeProgress => JSON.parse(text) as PurgeProgress;

interface Parts {
  readonly redis: RedisClient;
  readonly keys: Keys;
}

export function openPurgeList({ redis, keys }: Parts): PurgeList {
  return {
    async list() {
      const all = await redis.hgetall(keys.purges());
      return new Map(Object.entries(all).map(([app, text]) => [app, parse(text)]));
    },
    async get(app) {
      const text = await redis.hget(keys.purges(), app);
      return text === null ? undefined : parse(text);
    },
  };
}

/** False when an app with this id exists, or is still being deleted. */
export async function createUnlessPurged({ redis, keys }: Parts, app: string, text: string): Promise<boolean> {
  return (await runScript(redis, createScript, { keys: [keys.apps(), keys.purges()], args: [app, text] })) === 1;
}

/** False when there is no such app. */
export async function beginPurge({ redis, keys }: Parts, app: string, now: number): Promise<boolean> {
  const progress: PurgeProgress = {
    ...{ startedAt: now, updatedAt: now, passBeganAt: now, pass: 1, step: 'pushes', done: 0, of: 0, found: 0 },
    removed: { pushes: 0, installations: 0, keys: 0 },
  };
  const args = [app, JSON.stringify(progress)];
  return (await runScript(redis, beginScript, { keys: [keys.apps(), keys.purges()], args })) === 1;
}

export async function notePurge({ redis, keys }: Parts, app: string, progress: PurgeProgress): Promise<void> {
  await runScript(redis, noteScript, { keys: [keys.purges()], args: [app, JSON.stringify(progress)] });
}

export async function endPurge({ redis, keys }: Parts, app: string): Promise<void> {
  await redis.hdel(keys.purges(), app);
}
