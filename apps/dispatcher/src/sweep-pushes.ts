import type { Store } from '@pushfleet/store';
import type { Attempt } from './attempts';
import type { Config } from './config';
import type { DispatcherMetrics } from './metrics';

export interface SweepPushesPorts {
  readonly store: Pick<Store, 'ownTexts' | 'closed'>;
  readonly stopping: AbortSignal;
  readonly attempt: Attempt;
  readonly metrics: Pick<DispatcherMetrics, 'sweptTexts' | 'sweptRecords'>;
}

/**
 * Removes what pushes keep until the rest fits. Texts go first: that they lapsed is counted in records that may go next. Records
 * do not wait for texts that cannot be looked at. Resolves with whether everything was looked at.
 */
export async function sweepPushes(
  { store, stopping, attempt, metrics }: SweepPushesPorts,
  config: Pick<Config, 'OWN_CHANNEL_TEXTS_MAX_BYTES' | 'PUSH_RECORDS_MAX_BYTES'>,
): Promise<boolean> {
  const [textBytes, recordBytes] = [config.OWN_CHANNEL_TEXTS_MAX_BYTES, config.PUSH_RECORDS_MAX_BYTES];
  const texts = await attempt({ kept: 'texts' }, () => store.ownTexts.trim({ maxBytes: textBytes, stopping }));
  const records = await attempt({ kept: 'records' }, () => store.closed.trim({ maxBytes: recordBytes, stopping }));
  metrics.sweptTexts.inc(texts ?? 0);
  metrics.sweptRecords.inc(records ?? 0);
  return texts !== undefined && records !== undefined && !stopping.aborted;
}
