import type { ChannelIndex } from '../installations';
import type { ProcessStore } from '../fleet';
import { openFormatState, type StoredFormat } from './format-state';
import { MIGRATIONS, UNMARKED_FORMAT } from './migrations';
import { type Migration, type MigrationParts } from './migration';
import { tooNew, tooOld, WrongFormat } from './wrong-format';

/** Which format the data in Redis are of, and what is done about it. */
export interface FormatState {
  /** Of the data; 0 where that cannot be read. */
  readonly data: number;
  /** Of this process. */
  readonly own: number;
  /** Why a process of this version cannot work with the data. */
  readonly refusal?: WrongFormat;
  /** Absent: the data are of the format of this process, or of a later one. */
  readonly migration?: FormatMigration;
}

interface FormatMigration {
  readonly name: string;
  readonly to: number;
  readonly done: number;
  readonly of: number;
  /** What the migration waits for. */
  readonly waitsFor?: string;
}

/** The format of the data, which every process asks for before it works with them. */
export interface FormatStore {
  /** Marks an empty Redis as one of this format. */
  state(): Promise<FormatState>;
  /** Throws `WrongFormat` unless a process of this version can work with the data. */
  check(): Promise<void>;
  /** What differs between the data and this process; undefined when nothing does. */
  difference(): Promise<string | undefined>;
  /**
   * Migrates one page. False when no migration is left, or when processes of an earlier format may still write. A page may be
   * cut off anywhere and repeated by any process, even by two at once.
   */
  migrate(): Promise<boolean>;
  /** Whether the data are of the format of this process or a later one: no process of an earlier version is there. */
  isSettled(): Promise<boolean>;
}

interface Parts extends MigrationParts {
  readonly now: () => number;
  readonly processes: Pick<ProcessStore, 'list'>;
  /** The channel index knows when the last process of a version without beats was gone. */
  readonly channels: Pick<ChannelIndex, 'settledAt'>;
  /** Every step that this version knows, each from where the one before it ends. */
  readonly migrations?: readonly Migration[];
}

export function openFormat({ migrations = MIGRATIONS, ...parts }: Parts): FormatStore {
  const last = migrations.at(-1);
  const [oldest, own] = [migrations[0]?.from ?? UNMARKED_FORMAT, last?.to ?? UNMARKED_FORMAT];
  const stored = openFormatState(parts, { data: own, accepts: last?.accepts ?? own, step: undefined });
  const nextOf = ({ data }: StoredFormat): Migration | undefined => migrations.find(({ from }) => from === data);

  const refusalOf = ({ data, accepts }: StoredFormat): WrongFormat | undefined => {
    if (accepts > own) return tooOld({ data, accepts, own });
    return data < oldest ? tooNew({ data, oldest, own }) : undefined;
  };

  const state = async (): Promise<FormatState> => {
    const held = await stored.read().catch(damagedOnly);
    if (held instanceof WrongFormat) return { data: UNKNOWN_FORMAT, own, refusal: held };
    const { data, step } = held;
    const refusal = refusalOf(held);
    const migration = nextOf(held);
    if (refusal || !migration) return { data, own, ...(refusal ? { refusal } : {}) };
    const { done, of } = step ?? { done: 0, of: 0 };
    const waitsFor = await earlierThan(migration.to, parts);
    const waits = waitsFor === undefined ? {} : { waitsFor };
    return { data, own, migration: { name: migration.name, to: migration.to, done, of, ...waits } };
  };

  return {
    state,
    async check() {
      const refusal = refusalOf(await stored.read());
      if (refusal) throw refusal;
    },
    async difference() {
      const found = await state();
      return found.data === own ? undefined : describeFormat(found);
    },
    async migrate() {
      const held = await stored.read();
      const migration = nextOf(held);
      if (!migration || refusalOf(held) || (await earlierThan(migration.to, parts)) !== undefined) return false;
      const step = await migration.page(parts, held.step?.cursor ?? '');
      const { data, accepts } = step ? held : { data: migration.to, accepts: migration.accepts };
      await stored.replace(held, { data, accepts, step });
      return true;
    },
    isSettled: async () => (await stored.data()) >= own,
  };
}

/** Of data whose format cannot be read. */
const UNKNOWN_FORMAT = 0;

function damagedOnly(error: unknown): WrongFormat {
  if (error instanceof WrongFormat) return error;
  throw error;
}

/** Names the processes that may still write the earlier format: a migration beside them would have to be repeated. */
async function earlierThan(to: number, { now, processes, channels }: Parts): Promise<string | undefined> {
  const others = (await processes.list()).filter(({ format = UNMARKED_FORMAT }) => format < to);
  const [first] = others;
  if (first)
    return `the restart of ${others.length} processes of an earlier format, ${first.role} ${first.id} among them`;
  if (to > UNMARKED_FORMAT + 1) return undefined;
  const at = await channels.settledAt();
  if (at === undefined) return 'a dispatcher';
  return at > now() ? `processes of the version before, until ${new Date(at).toISOString()}` : undefined;
}

/** As the log, `/readyz` and the doctor tell it. */
export function describeFormat({ data, own, refusal, migration }: FormatState): string {
  if (refusal) return refusal.message;
  if (data > own) return `this process is of format ${own} and runs beside those of format ${data}`;
  if (!migration) return `format ${data}`;
  const { name, to, done, of, waitsFor } = migration;
  const progress = waitsFor === undefined ? `${done} of ${of} parts are done` : `it waits for ${waitsFor}`;
  return `this process is of format ${own} and runs beside those of format ${data}; ${name} makes it format ${to}: ${progress}`;
}
