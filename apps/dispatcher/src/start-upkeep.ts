import { randomUUID } from 'node:crypto';
import { DAY_MS } from '@pushfleet/domain';
import { repeat, type Repeated } from '@pushfleet/service-kit';
import type { Store } from '@pushfleet/store';
import type { Attempts } from './attempts';
import type { Config } from './config';
import type { DispatcherMetrics } from './metrics';
import { openIndexChecker } from './check-channel-indexes';
import { openColumnIndexer } from './keep-column-indexes';
import { openDrainEnds, type Drained } from './end-drains';
import { openMigrator } from './migrate-format';
import { openPushRoomKeeper } from './keep-push-room';
import { openBucketMover } from './move-buckets';
import { startPurger, type PurgePorts } from './start-purger';
import { sweepInstallations } from './sweep-installations';
import { sweepOutcomes } from './sweep-outcomes';
import { sweepPushes } from './sweep-pushes';

export interface UpkeepPorts extends Omit<PurgePorts, 'attempt'> {
  readonly store: Store;
  /** Every channel that may be drained. */
  readonly channels: ReadonlySet<string>;
  readonly attempts: Attempts;
  readonly metrics: Pick<
    DispatcherMetrics,
    | 'sweptInstallations'
    | 'sweptRecords'
    | 'sweptTexts'
    | 'sweptOutcomes'
    | 'movedInstallations'
    | 'missingIndexEntries'
    | 'columnIndexEntries'
  >;
}

/** Installations of each app are swept once a day. A look for what is due comes more often, in case a sweep failed or was cut off. */
const SWEEP_EVERY_MS = DAY_MS;
const SWEEP_PAUSE_MS = 600_000;
/** A campaign to all of a large app is over in minutes. */
const OUTCOMES_PAUSE_MS = 60_000;
/** By an app key, half a megabyte of open pushes comes meanwhile. */
const PUSH_ROOM_PAUSE_MS = 5000;
/** Devices of a profile that was just saved, channels of a new app, and a column to be indexed wait for this. */
const SOON_MS = 1000;

/** Starts the periodic work that keeps the store tidy. */
export function startUpkeep(ports: UpkeepPorts, config: Config): readonly Repeated[] {
  const { store, stopping, attempts, metrics, log } = ports;
  const failing = (what: string) => (err: unknown) => log.error({ err }, what);
  const at = (round: Parameters<Attempts>[0]) => ({ store, stopping, attempt: attempts(round) });
  const sweep = async (): Promise<void> => {
    const rules = { staleMs: config.INSTALLATION_STALE_AFTER_MS, deadMs: config.INSTALLATION_DELETE_AFTER_MS };
    const onLeaseError = failing('the lease on a sweep of installations could not be renewed');
    const swept = await sweepInstallations(
      { ...at('sweep'), now: store.clock.now, onLeaseError },
      { ...rules, everyMs: SWEEP_EVERY_MS },
    );
    metrics.sweptInstallations.inc({ result: 'stale' }, swept.stale);
    metrics.sweptInstallations.inc({ result: 'removed' }, swept.removed);
  };
  const moveBuckets = openBucketMover({ ...at('buckets'), now: store.clock.now });
  const move = async (): Promise<void> => metrics.movedInstallations.inc(await moveBuckets());
  const checkIndexes = openIndexChecker({ ...at('channel-indexes'), now: store.clock.now });
  const check = async (): Promise<void> => metrics.missingIndexEntries.inc(await checkIndexes());
  const keepColumns = openColumnIndexer({ ...at('column-indexes'), now: store.clock.now });
  const keep = async (): Promise<void> => metrics.columnIndexEntries.inc(await keepColumns());
  const migrate = openMigrator({ store, stopping, log });
  const onDrained = ({ channel, control: { app, profile } }: Drained): void =>
    log.info({ channel, app, profile }, 'drained, and paused now');
  const endDrains = openDrainEnds({ ...at('drains'), channels: ports.channels, onDrained });
  const trimming = ['sweep of push records', randomUUID()] as const;
  const trim = async (): Promise<void> => {
    if (!(await store.leases.hold(...trimming, SWEEP_PAUSE_MS))) return;
    let isWhole = false;
    try {
      isWhole = await sweepPushes({ ...at('records'), metrics }, config);
    } finally {
      if (!isWhole) await store.leases.release(...trimming);
    }
  };
  const trimOutcomes = async (): Promise<void> => metrics.sweptOutcomes.inc(await sweepOutcomes(at('outcomes')));
  const keepRoom = openPushRoomKeeper(ports, config.APP_OPEN_PUSHES_BYTES);
  return [
    repeat(SWEEP_PAUSE_MS, sweep, failing('sweep of installations failed')),
    repeat(SOON_MS, move, failing('installations could not be moved')),
    repeat(SOON_MS, check, failing('indexes of channels could not be checked')),
    repeat(SOON_MS, keep, failing('indexes of columns could not be kept')),
    repeat(SOON_MS, migrate, failing('the data could not be migrated')),
    repeat(SOON_MS, endDrains, failing('it could not be seen whether a channel is drained')),
    repeat(SWEEP_PAUSE_MS, trim, failing('sweep of push records failed')),
    repeat(PUSH_ROOM_PAUSE_MS, keepRoom, failing('the room of open pushes could not be looked at')),
    repeat(OUTCOMES_PAUSE_MS, trimOutcomes, failing('sweep of outcomes failed')),
    startPurger({ ...ports, ...at('purge') }),
  ];
}
