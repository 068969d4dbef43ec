import { isJsonObject } from '@pushfleet/domain';
import { replaceField } from '../../kit/compare';
import { recordIn } from '../../kit/damaged-record';
import type { IndexParts } from '../channel-index/entries';

/** The index of one column of an app, and how far it is made. */
export interface ColumnState {
  /** Milliseconds since the epoch. */
  readonly declaredAt: number;
  /** Pushes do not use it from then on; it is kept until every process knows. */
  readonly removedAt?: number;
  /** Nobody keeps it any more: its entries go, shard by shard. */
  readonly isGoing?: boolean;
  /** The pass under way began then, and has come to this shard; absent: none is under way. */
  readonly begunAt?: number;
  readonly shard?: number;
  /** Entries that the pass under way, or the last one, added. */
  readonly added: number;
  /** The last pass after which it was whole began then. */
  readonly soundSince?: number;
  /** A check found entries missing: only one that finds none makes it whole again. */
  readonly hasLost?: boolean;
  /** The next pass begins then. */
  readonly dueAt: number;
}

export interface AppColumns {
  /**
   * Grows with every change of who keeps what. A shard that has seen a generation takes no more records from a process that
   * knows an earlier one alone.
   */
  readonly generation: number;
  readonly columns: Readonly<Record<string, ColumnState>>;
  /** The record was damaged: which columns there were is not known, until somebody declares them. */
  readonly hasForgotten?: true;
}

/** The columns together with their text: who changes an older text is refused. */
export interface HeldColumns {
  readonly state: AppColumns;
  readonly text: string;
}

const NO_COLUMNS: AppColumns = { generation: 0, columns: {} };

const fieldOf = (app: string): string => `${app} columns`;

/** Devices are saved and pushes walk without the columns of a record that is damaged: nobody waits for an index. */
const FORGOTTEN: AppColumns = { ...NO_COLUMNS, hasForgotten: true };

const decode = (text: string | null | undefined): HeldColumns =>
  typeof text === 'string' ? { state: columnsIn(text) ?? FORGOTTEN, text } : { state: NO_COLUMNS, text: '' };

function columnsIn(text: string): AppColumns | undefined {
  const state = recordIn(text) as Partial<AppColumns> | undefined;
  const { generation, columns } = state ?? {};
  const isWhole =
    Number.isFinite(generation) &&
    isJsonObject(columns) &&
    Object.values(columns).every((column) => isJsonObject(column) && Number.isFinite(column['declaredAt']));
  return isWhole ? (state as AppColumns) : undefined;
}

export async function readColumns({ redis, keys }: IndexParts, app: string): Promise<HeldColumns> {
  return decode(await redis.hget(keys.columnIndexes(), fieldOf(app)));
}

/** Of every app that has any. */
export async function readAllColumns({ redis, keys }: IndexParts): Promise<ReadonlyMap<string, AppColumns>> {
  const fields = Object.entries(await redis.hgetall(keys.columnIndexes()));
  return new Map(fields.map(([field, text]) => [field.slice(0, field.indexOf(' ')), decode(text).state]));
}

/**
 * Changes the columns of an app as they are at that moment; the change is looked at again when another came first. Undefined,
 * and nothing is written, when it answers undefined.
 */
export async function changeColumns(
  parts: IndexParts,
  app: string,
  change: (state: AppColumns) => AppColumns | undefined,
): Promise<AppColumns | undefined> {
  for (;;) {
    const { state, text } = await readColumns(parts, app);
    const next = change(state);
    if (!next) return undefined;
    // What was removed leaves its generation behind: another of that name must have a later one.
    const place = { hash: parts.keys.columnIndexes(), field: fieldOf(app) };
    if (await replaceField(parts.redis, { ...place, from: text, to: JSON.stringify(next) })) return next;
  }
}

/** The columns with another state of one, or without it. */
export function withColumn(state: AppColumns, column: string, to: ColumnState | undefined): AppColumns {
  const { [column]: _, ...others } = state.columns;
  return { ...state, columns: to ? { ...others, [column]: to } : others };
}

/** Later than any before, of this index or of one of an app that had this id. */
export const nextGeneration = ({ generation }: AppColumns, now: number): number => Math.max(now, generation + 1);

/** The columns that whoever writes a record keeps. */
export const keptColumns = ({ columns }: AppColumns): readonly string[] =>
  Object.entries(columns).flatMap(([column, { isGoing }]) => (isGoing === true ? [] : [column]));

/** The columns that pushes may use. */
export const soundColumns = ({ columns }: AppColumns, settledAt: number): ReadonlySet<string> =>
  new Set(
    Object.entries(columns).flatMap(([column, { removedAt, soundSince }]) =>
      removedAt === undefined && soundSince !== undefined && soundSince >= settledAt ? [column] : [],
    ),
  );
