import { describeFormat, type Store } from '@pushfleet/store';
import { openUpkeepLease } from './upkeep-lease';

export interface MigratorPorts {
  readonly store: { readonly format: Store['format']; readonly leases: Pick<Store['leases'], 'hold'> };
  /** Work that is cut off goes on where it stopped, in this dispatcher or in another. */
  readonly stopping: AbortSignal;
  readonly log: { info(fields: object, message: string): void };
}

/** Each run migrates the data to the format of this version, if a migration is due and no other dispatcher does it. */
export function openMigrator({ store, stopping, log }: MigratorPorts): () => Promise<void> {
  const { format, leases } = store;
  const holdLease = openUpkeepLease(leases, 'format');
  const tell = async (message: string): Promise<void> =>
    log.info({ format: describeFormat(await format.state()) }, message);
  return async () => {
    const { migration } = await format.state();
    if (!migration || migration.waitsFor !== undefined) return;
    if (!(await holdLease())) return;
    await tell('migrating the data');
    while (!stopping.aborted && (await holdLease()) && (await format.migrate()));
    await tell((await format.isSettled()) ? 'migrated the data' : 'the migration is left for later');
  };
}
