import { describeFormat, type Store } from '@pushfleet/store';

export interface MigratorPorts {
  readonly store: { readonly format: Store['format']; readonly leases: Pick<Store['leases'], 'hold'> };
  /** Work that is cut off goes on where it stopped, in this dispatcher or in another. */
  readonly stopping: AbortSignal;
  readonly log: { info(fields: object, message: string): void };
}

/** Two processes at once would do no harm, but the same work twice. */
const LEASE = { name: 'format', lifeMs: 30_000 };

/** Each run migrates the data to the format of this version, if a migration is due and no other dispatcher does it. */
export function openMigrator({ store, stopping, log }: MigratorPorts, owner: string): () => Promise<void> {
  const { format, leases } = store;
  const tell = async (message: string): Promise<void> =>
    log.info({ format: describeFormat(await format.state()) }, message);
  return async () => {
    const { migration } = await format.state();
    if (!migration || migration.waitsFor !== undefined) return;
    if (!(await leases.hold(LEASE.name, owner, LEASE.lifeMs))) return;
    await tell('migrating the data');
    while (!stopping.aborted && (await leases.hold(LEASE.name, owner, LEASE.lifeMs)) && (await format.migrate()));
    await tell(stopping.aborted ? 'the migration is left to others' : 'migrated the data');
  };
}
