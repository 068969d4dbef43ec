import type { Logger } from '../logger';
import { NO_TRACING, type Tracing } from './tracing';

export interface TracingConfig {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  readonly OTEL_TRACES_SAMPLER_ARG: number;
}

/** What does the tracing is loaded only when there is somewhere to send traces to. */
export async function openTracing(
  service: string,
  config: TracingConfig,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<Tracing> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: share } = config;
  if (endpoint === undefined) return NO_TRACING;
  const { startTracing } = await import('@pushfleet/service-kit/tracing');
  return startTracing({ service, endpoint, share, log });
}
