import type { AccountKeys } from './keys';
import { isDone, luaScript, nothing } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';

export const PURGE_STEPS = ['pushes', 'installations', 'leftovers'] as const;
export type PurgeStep = (typeof PURGE_STEPS)[number];

/** How far the deletion of an app is. Passes over its data are repeated until one of them finds nothing. */
export interface PurgeProgress {
  readonly startedAt: number;
  readonly updatedAt: number;
  readonly pass: number;
  readonly passBeganAt: number;
  readonly step: PurgeStep;
  /** Parts of the step that are done, and how many the step has. */
  readonly done: number;
  readonly of: number;
  readonly removed: Readonly<Record<'pushes' | 'installations' | 'keys', number>>;
  /** Removed in this pass. */
  readonly found: number;
}

export interface PurgeList {
  /** The deletions under way, by app; undefined where nobody can read how far one is. */
  list(): Promise<ReadonlyMap<string, PurgeProgress | undefined>>;
  /** Rejects, and names the app, where nobody can read how far its deletion is. */
  get(app: string): Promise<PurgeProgress | undefined>;
}

const beginPurgeOf = luaScript('accounts/begin-purge', {
  params: { apps: 'key', purges: 'key', app: 'text', progress: 'text' },
  answer: isDone,
});

const createApp = luaScript('accounts/create-app', {
  params: { apps: 'key', purges: 'key', app: 'text', text: 'text' },
  answer: isDone,
});

const noteProgress = luaScript('accounts/note-purge', {
  params: { purges: 'key', app: 'text', progress: 'text' },
  answer: nothing,
});

function parse(text: string): { readonly progress: PurgeProgress } | { readonly unreadable: unknown } {
  try {
    return { progress: JSON.parse(text) as PurgeProgress };
  } catch (unreadable) {
    return { unreadable };
  }
}

interface Parts {
  readonly redis: RedisClient;
  readonly keys: AccountKeys;
}

/** What only who carries a deletion out does. */
export interface PurgeBook extends PurgeList {
  note(app: string, progress: PurgeProgress): Promise<void>;
  end(app: string): Promise<void>;
}

export function openPurgeBook({ redis, keys }: Parts): PurgeBook {
  return {
    async list() {
      const all = await redis.hgetall(keys.purges());
      const progressIn = (text: string): PurgeProgress | undefined => {
        const parsed = parse(text);
        return 'progress' in parsed ? parsed.progress : undefined;
      };
      return new Map(Object.entries(all).map(([app, text]) => [app, progressIn(text)]));
    },
    async get(app) {
      const text = await redis.hget(keys.purges(), app);
      if (text === null) return undefined;
      const parsed = parse(text);
      if ('progress' in parsed) return parsed.progress;
      throw new Error(`how far the deletion of the app ${app} is cannot be read`, { cause: parsed.unreadable });
    },
    note: (app, progress) => noteProgress(redis, { purges: keys.purges(), app, progress: JSON.stringify(progress) }),
    async end(app) {
      await redis.hdel(keys.purges(), app);
    },
  };
}

/** False when an app with this id exists, or is still being deleted. */
export const createUnlessPurged = ({ redis, keys }: Parts, app: string, text: string): Promise<boolean> =>
  createApp(redis, { apps: keys.apps(), purges: keys.purges(), app, text });

/** False when there is no such app. */
export function beginPurge({ redis, keys }: Parts, app: string, now: number): Promise<boolean> {
  const progress: PurgeProgress = {
    ...{ startedAt: now, updatedAt: now, passBeganAt: now, pass: 1, step: 'pushes', done: 0, of: 0, found: 0 },
    removed: { pushes: 0, installations: 0, keys: 0 },
  };
  return beginPurgeOf(redis, { apps: keys.apps(), purges: keys.purges(), app, progress: JSON.stringify(progress) });
}
