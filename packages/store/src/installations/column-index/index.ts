import { LIMITS } from '@pushfleet/domain';
import { SHARDS } from '../../kit/shards';
import type { IndexParts } from '../channel-index/entries';
import type { PassTimes } from '../channel-index/pass';
import { columnsSettledAt } from '../channel-index/states';
import { buildColumn } from './build';
import {
  changeColumns,
  nextGeneration,
  readAllColumns,
  readColumns,
  soundColumns,
  withColumn,
  type AppColumns,
  type ColumnState,
} from './column-state';
import { removeColumn } from './remove-column';
import { noteWalk, readWalks, type NotedWalk } from './walks';

/** `building`: pushes walk meanwhile. */
export type ColumnIndexStatus = 'building' | 'ready' | 'removing';

export interface ColumnIndex {
  readonly column: string;
  readonly status: ColumnIndexStatus;
  readonly declaredAt: number;
  /** Of all parts of the app; absent while no pass, no check and no removal is under way. */
  readonly doneParts?: number;
  readonly parts: number;
  /** When it was checked against the records last; absent while it never was. */
  readonly checkedAt?: number;
}

/** Where the installations are that have a value in a column, for the columns that an operator chose. */
export interface ColumnIndexes {
  of(app: string): Promise<readonly ColumnIndex[]>;
  /** Of every app that has any. */
  all(): Promise<ReadonlyMap<string, readonly ColumnIndex[]>>;
  /** Apps of which nobody knows any more which columns they had: the record was damaged. */
  forgotten(): Promise<readonly string[]>;
  /** `full`: the app has as many as it may; `removing`: what was removed under this name is not gone yet. */
  declare(app: string, column: string): Promise<'declared' | 'known' | 'full' | 'removing'>;
  /** False when there is none. */
  remove(app: string, column: string): Promise<boolean>;
  /** Keeps for a day that a push read all of the app. */
  noteWalk(app: string, walk: NotedWalk): Promise<void>;
  /** Of the last day. */
  walks(app: string): Promise<readonly NotedWalk[]>;
  /** Makes, checks and removes what is due; resolves with the number of entries that were added. */
  work(app: string, times: PassTimes): Promise<number>;
}

const MAX_COLUMNS = LIMITS.columnIndexes.value;

export function openColumnIndexes(parts: IndexParts, now: () => number): ColumnIndexes {
  return {
    async of(app) {
      const [{ state }, settledAt] = await Promise.all([readColumns(parts, app), columnsSettledAt(parts)]);
      return viewsOf(state, settledAt);
    },
    async all() {
      const [states, settledAt] = await Promise.all([readAllColumns(parts), columnsSettledAt(parts)]);
      return new Map(Array.from(states, ([app, state]) => [app, viewsOf(state, settledAt)]));
    },
    async forgotten() {
      const states = [...(await readAllColumns(parts))];
      return states.flatMap(([app, { hasForgotten }]) => (hasForgotten === true ? [app] : []));
    },
    declare: (app, column) => declareColumn(parts, { app, column }, now()),
    async remove(app, column) {
      const change = (state: AppColumns): AppColumns | undefined => {
        const at = state.columns[column];
        return at?.removedAt === undefined ? at && withColumn(state, column, { ...at, removedAt: now() }) : state;
      };
      return (await changeColumns(parts, app, change)) !== undefined;
    },
    noteWalk: (app, walk) => noteWalk(parts, app, walk),
    walks: (app) => readWalks(parts, app),
    async work(app, times) {
      let added = 0;
      for (const [column, { removedAt }] of Object.entries((await readColumns(parts, app)).state.columns)) {
        if (times.stopping.aborted) break;
        if (removedAt === undefined) added += await buildColumn(parts, { app, column }, times);
        else await removeColumn(parts, { app, column }, times);
      }
      return added;
    },
  };
}

async function declareColumn(parts: IndexParts, { app, column }: { app: string; column: string }, now: number) {
  let answer: 'known' | 'full' | 'removing' = 'known';
  const declared = await changeColumns(parts, app, (state) => {
    const at = state.columns[column];
    if (at) answer = at.removedAt === undefined ? 'known' : 'removing';
    else if (Object.keys(state.columns).length >= MAX_COLUMNS) answer = 'full';
    if (at ?? Object.keys(state.columns).length >= MAX_COLUMNS) return undefined;
    const { columns } = withColumn(state, column, { declaredAt: now, added: 0, dueAt: 0 });
    return { columns, generation: nextGeneration(state, now) };
  });
  return declared ? ('declared' as const) : answer;
}

function viewsOf(state: AppColumns, settledAt: number): readonly ColumnIndex[] {
  const sound = soundColumns(state, settledAt);
  return Object.entries(state.columns).map(([column, at]) => ({
    column,
    status: statusOf(at, sound.has(column)),
    declaredAt: at.declaredAt,
    ...(at.shard === undefined ? {} : { doneParts: at.shard }),
    parts: SHARDS,
    ...(at.soundSince === undefined ? {} : { checkedAt: at.soundSince }),
  }));
}

const statusOf = ({ removedAt }: ColumnState, isSound: boolean): ColumnIndexStatus =>
  removedAt !== undefined ? 'removing' : isSound ? 'ready' : 'building';
