import type { AccountKeys } from './keys';
import { each } from '../kit/lua/params';
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
  params: { purges: 'key', notes: each({ app: 'text', progress: 'text' }) },
  answer: nothing,
});

type Parsed = { readonly progress: PurgeProgress } | { readonly unreadable: unknown };

function parse(text: string): Parsed {
  try {
    const progress = JSON.parse(text) as PurgeProgress;
    if (PURGE_STEPS.includes(progress.step)) return { progress };
    return { unreadable: new Error(`no step of a deletion: ${progress.step}`) };
  } catch (error) {
    return { unreadable: error };
  }
}

function progressIn(text: string): PurgeProgress | undefined {
  const parsed = parse(text);
  return 'progress' in parsed ? parsed.progress : undefined;
}

const firstProgress = (now: number): PurgeProgress => ({
  startedAt: now,
  updatedAt: now,
  passBeganAt: now,
  pass: 1,
  step: 'pushes',
  done: 0,
  of: 0,
  found: 0,
  removed: { pushes: 0, installations: 0, keys: 0 },
});

const unreadable = (app: string, cause: unknown): Error =>
  new Error(`how far the deletion of the app ${app} is cannot be read`, { cause });

interface Parts {
  readonly redis: RedisClient;
  readonly keys: AccountKeys;
}

export interface GoOn {
  readonly now: number;
  readonly onUnreadable: (error: unknown) => void;
}

/** What only who carries a deletion out does. */
export interface PurgeBook extends PurgeList {
  /**
   * How far a deletion is that goes on now; undefined when there is none. One of which nobody can read how far it is begins
   * anew, and is told of: a pass over what is gone finds nothing.
   */
  goOn(app: string, terms: GoOn): Promise<PurgeProgress | undefined>;
  /** How far deletions are; undefined where there is no deletion, or nobody can read how far it is. */
  read(apps: readonly string[]): Promise<ReadonlyMap<string, PurgeProgress | undefined>>;
  note(deletions: readonly { readonly app: string; readonly progress: PurgeProgress }[]): Promise<void>;
  end(app: string): Promise<void>;
}

export function openPurgeBook({ redis, keys }: Parts): PurgeBook {
  const note: PurgeBook['note'] = (deletions) =>
    noteProgress(redis, {
      purges: keys.purges(),
      notes: deletions.map(({ app, progress }) => ({ app, progress: JSON.stringify(progress) })),
    });
  const read = async (app: string): Promise<Parsed | undefined> => {
    const text = await redis.hget(keys.purges(), app);
    return text === null ? undefined : parse(text);
  };
  return {
    note,
    async read(apps) {
      const texts = await redis.hmget(keys.purges(), ...apps);
      return new Map(apps.map((app, i) => [app, progressIn(texts[i] ?? '')]));
    },
    async goOn(app, { now, onUnreadable }) {
      const parsed = await read(app);
      if (!parsed || 'progress' in parsed) return parsed?.progress;
      onUnreadable(unreadable(app, parsed.unreadable));
      const progress = firstProgress(now);
      await note([{ app, progress }]);
      return progress;
    },
    async list() {
      const all = await redis.hgetall(keys.purges());
      return new Map(Object.entries(all).map(([app, text]) => [app, progressIn(text)]));
    },
    async get(app) {
      const parsed = await read(app);
      if (parsed && 'unreadable' in parsed) throw unreadable(app, parsed.unreadable);
      return parsed?.progress;
    },
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
  const progress = JSON.stringify(firstProgress(now));
  return beginPurgeOf(redis, { apps: keys.apps(), purges: keys.purges(), app, progress });
}
