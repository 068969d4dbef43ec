import type { ChannelDeps, VendorChannel } from '@pushfleet/channel-kit';
import { OWN_CHANNEL } from '@pushfleet/domain';
import type { Logger } from '@pushfleet/service-kit';
import type { Store } from '@pushfleet/store';
import { ownLimits, type Config } from './config';
import type { WorkerMetrics } from './metrics';
import { openOwnSessions } from './own-session';
import { openSessions, type Sessions } from './sessions';

export interface ChannelSessionsParts {
  readonly store: Store;
  /** For the channel of a vendor. */
  readonly definition: VendorChannel | undefined;
  readonly deps: ChannelDeps;
  readonly metrics: WorkerMetrics;
  readonly log: Logger;
}

/** The sessions of the one channel that this process serves. */
export function openChannelSessions(config: Config, parts: ChannelSessionsParts): Sessions {
  const { store, definition, deps, metrics, log } = parts;
  if (config.CHANNEL !== OWN_CHANNEL) {
    const sessions = openSessions(definition, store.profiles, deps);
    store.settings.onChange(() => sessions.recheck());
    return sessions;
  }
  return openOwnSessions({
    store,
    now: deps.now,
    ...ownLimits(config),
    onHintLost: (err) => log.warn({ err }, 'hint lost'),
    onEvicted: (messages) => metrics.evicted.inc(messages),
  });
}
