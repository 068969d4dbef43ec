import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@pushfleet/service-kit';
import type { Heartbeat } from './heartbeat';
import type { DeviceServer } from './server';

export interface Draining {
  readonly server: Pick<DeviceServer, 'shut' | 'endAll' | 'size'>;
  readonly heartbeat: Pick<Heartbeat, 'drain'>;
  /** Aborted when nobody waits any longer. */
  readonly cutoff: AbortSignal;
  readonly drainMs: number;
  readonly log: Pick<Logger, 'info'>;
}

const LOOK_EVERY_MS = 100;

/**
 * Takes no new devices and keeps those that it has for a while: some clients do not reconnect after a close, so that
 * whoever leaves by himself meanwhile is better served.
 */
export async function drain({ server, heartbeat, cutoff, drainMs, log }: Draining): Promise<void> {
  server.shut();
  await heartbeat.drain();
  const deadline = performance.now() + drainMs;
  if (server.size > 0) log.info({ connections: server.size, drainMs }, 'draining');
  while (server.size > 0 && performance.now() < deadline && !cutoff.aborted) await delay(LOOK_EVERY_MS);
  await server.endAll();
}
