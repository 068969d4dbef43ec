import { createLogger, type LogConfig, type Logger } from './logger';
import { openMetrics, type Metrics } from './metrics';
import type { ServiceContext } from './run-service';
import { serveAdmin, type Admin, type AdminConfig } from './serve-admin';
import { openTracing, type Tracing, type TracingConfig } from './tracing/tracing';

/** What every service has beside its work, closed with the service. */
export interface Instruments {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly admin: Admin;
  readonly tracing: Tracing;
}

export interface InstrumentsOptions {
  readonly name: string;
  readonly config: LogConfig & AdminConfig & TracingConfig;
  /** Stand in every line of the log. */
  readonly labels?: Readonly<Record<string, string>>;
}

export async function openInstruments(
  { onClose, stopping, logWith }: Pick<ServiceContext, 'onClose' | 'stopping' | 'logWith'>,
  { name, config, labels = {} }: InstrumentsOptions,
): Promise<Instruments> {
  const log = createLogger(config, name).child(labels);
  logWith(log);
  const metrics = openMetrics(name);
  const admin = await serveAdmin(config, { metrics, stopping });
  onClose('admin', () => admin.close());
  const tracing = await openTracing(name, config);
  onClose('tracing', () => tracing.close());
  return { log, metrics, admin, tracing };
}
