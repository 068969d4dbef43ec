import { DAY_MS, LIMITS, type JsonObject } from '@pushfleet/domain';
import { isDone, luaScript, nothing } from '../../kit/lua/script';
import { infoOf, mastersOf } from '../../kit/redis-settings';
import type { RedisClient } from '../../kit/redis';
import { columnsSettledAt } from '../channel-index/states';
import type { InstallationKeys } from '../keys';
import { addOwnColumns } from './own-columns-of';
import { rememberColumns, REMEMBERED_MS } from './remember-columns';

/** What is said of the columns of an app's installations: a condition on one that none has is a slip. */
export interface ColumnNames {
  /** Of these columns those that no installation has; none while that is not known. */
  missing(app: string, columns: readonly string[]): Promise<readonly string[]>;
  /** Before somebody looks at every installation of an app. */
  collect(app: string): Promise<CollectedColumns>;
}

/** The columns that somebody finds who looks at every installation. */
export interface CollectedColumns {
  add(doc: JsonObject): void;
  /** They are all that there are, beside those that were noted meanwhile. */
  keep(): Promise<void>;
}

export interface ColumnNotes extends ColumnNames {
  /** Once it has resolved, an installation with these columns may be stored; undefined when they are noted already. */
  note(app: string, columns: ReadonlySet<string>): Promise<void> | undefined;
  /** Nothing is known any more: an app may have been deleted, and made anew under the same id. */
  forget(): void;
}

interface Parts {
  readonly redis: RedisClient;
  readonly keys: InstallationKeys;
  readonly now: () => number;
}

/** Fields beside those of the columns: since when all columns are there, and when there was one too many. */
const MARKS = { WHOLE: ' whole', TOO_MANY: ' too many' };
const MOST = LIMITS.columnNames.value;
/** What was noted so long before a look is not removed by it: a process may still rely on that, and its clock may differ. */
const MARGIN_MS = REMEMBERED_MS + 3_000_000;
/** Looks are a day apart. Where none comes, nobody is warned. */
const LIFE_MS = 7 * DAY_MS;

const noteScript = luaScript('installations/note-columns', {
  params: { names: 'key', at: 'number', most: 'number', lifeMs: 'number', columns: 'texts' },
  constants: MARKS,
  answer: isDone,
});

const keepScript = luaScript('installations/keep-columns', {
  params: { names: 'key', begunAt: 'number', notedSince: 'number', most: 'number', lifeMs: 'number', found: 'texts' },
  constants: MARKS,
  answer: nothing,
});

export function openColumnNames(parts: Parts): ColumnNotes {
  const { redis, keys, now } = parts;
  const bounds = { most: MOST, lifeMs: LIFE_MS };
  /** Noted by this process lately, so that no look removes them; and those that were there when somebody asked. */
  const [noted, seen, full] = [rememberColumns(now), rememberColumns(now), rememberColumns(now)];
  async function write(app: string, columns: readonly string[]): Promise<void> {
    const isNoted = await noteScript(redis, { names: keys.columnNames(app), at: now(), columns, ...bounds });
    if (isNoted) noted.add(app, columns);
    else full.add(app, ['']);
  }
  return {
    note(app, columns) {
      const fresh = noted.without(app, columns);
      return fresh.length === 0 || full.has(app, '') ? undefined : write(app, fresh);
    },
    async missing(app, columns) {
      const asked = seen.without(app, noted.without(app, columns));
      if (asked.length === 0) return [];
      const names = redis.hmget(keys.columnNames(app), MARKS.WHOLE, ...asked);
      const [[whole, ...stored], settledAt] = await Promise.all([names, columnsSettledAt(parts)]);
      const isThere = (_: string, i: number): boolean => typeof stored[i] === 'string';
      seen.add(app, asked.filter(isThere));
      const isWhole = typeof whole === 'string' && Number(whole) >= settledAt;
      return isWhole ? asked.filter((column, i) => !isThere(column, i)) : [];
    },
    async collect(app) {
      const [begunAt, servers, found] = [now(), await serversOf(redis), new Set<string>()];
      return {
        add: (doc) => found.size > MOST || addOwnColumns(found, doc),
        async keep() {
          // What looks by a cursor misses installations when its Redis is restarted or replaced.
          if ((await serversOf(redis)) !== servers) return;
          const look = { begunAt, notedSince: begunAt - MARGIN_MS, found: [...found] };
          await keepScript(redis, { names: keys.columnNames(app), ...look, ...bounds });
        },
      };
    },
    forget() {
      for (const memory of [noted, seen, full]) memory.clear();
    },
  };
}

async function serversOf(redis: RedisClient): Promise<string> {
  const infos = await Promise.all(mastersOf(redis).map((master) => infoOf(master)));
  return infos
    .map((info) => info.get('run_id') ?? '')
    .sort()
    .join(' ');
}
