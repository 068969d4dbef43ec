import { listen, type Listen } from './listen';
import { createLogger, type LogConfig, type Logger } from './logger';
import { openMetrics, type Metrics, type ProcessMetrics } from './metrics';
import type { HttpServer } from './http-server';
import type { ServiceContext } from './run-service';
import { serveAdmin, type Admin, type AdminConfig } from './serve-admin';
import { type Tracing } from './tracing/tracing';
import { openTracing, type TracingConfig } from './tracing/open-tracing';

/** What every service has beside its work, closed with the service. */
export interface Instruments {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly admin: Admin;
  readonly tracing: Tracing;
  /** Opens a port of the service. */
  readonly listen: Listen<HttpServer>;
}

export interface InstrumentsOptions {
  readonly name: string;
  readonly config: LogConfig & AdminConfig & TracingConfig;
  /** Stand in every line of the log. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** Of a whole process. */
export interface ProcessInstruments extends Instruments {
  readonly metrics: ProcessMetrics;
}

export async function openInstruments(
  { onClose, stopping, logWith }: Pick<ServiceContext, 'onClose' | 'stopping' | 'logWith'>,
  { name, config, labels = {} }: InstrumentsOptions,
): Promise<ProcessInstruments> {
  const log = createLogger(config, name).child(labels);
  logWith(log);
  const metrics = openMetrics(name);
  const admin = await serveAdmin(config, { metrics, stopping });
  onClose('admin', () => admin.close());
  const tracing = await openTracing(name, config, log);
  onClose('tracing', () => tracing.close());
  return { log, metrics, admin, tracing, listen };
}

/** What one of several services of a process has of them: its own log and labels, and its name before each of its checks. */
export function instrumentsOfService(
  { metrics, admin, tracing, listen: listenFor }: ProcessInstruments,
  { name, config, labels = {} }: InstrumentsOptions,
): Instruments {
  const title = titleOf(name, labels);
  return {
    log: createLogger(config, name).child(labels),
    metrics: metrics.ofService(name),
    admin: {
      ...admin,
      waitsFor: (what) => admin.waitsFor(`${what}, for ${title}`),
      addLiveness: (check, run) => admin.addLiveness(`${title}: ${check}`, run),
      addReadiness: (check, run) => admin.addReadiness(`${title}: ${check}`, run),
      addNote: (note, tell) => admin.addNote(`${title}: ${note}`, tell),
    },
    tracing,
    listen: listenFor,
  };
}

/** `channel-worker hms`. */
export const titleOf = (name: string, labels: Readonly<Record<string, string>>): string =>
  [name, ...Object.values(labels)].join(' ');
