/** The work that was under way when it was made, as a trace sees it. */
export type Mark = object;

/** Follows work through processes; while it is off, every call does nothing and costs nothing. */
export interface Tracing {
  readonly isOn: boolean;
  /** Remembers the work of now, for something that is done later for several at once. */
  mark(): Mark;
  /** Runs what is done for all of these: a part of the first one's trace, linked with the others. */
  runFor<T>(name: string, marks: readonly Mark[], run: () => Promise<T>): Promise<T>;
  /** Hands over what was seen last. */
  close(): Promise<void>;
}

const NOTHING: Mark = {};

export const NO_TRACING: Tracing = {
  isOn: false,
  mark: () => NOTHING,
  runFor: (_name, _marks, run) => run(),
  close: () => Promise.resolve(),
};

export interface TracingConfig {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  readonly OTEL_TRACES_SAMPLER_ARG: number;
}

/** What does the tracing is loaded only when there is somewhere to send traces to. */
export async function openTracing(service: string, config: TracingConfig): Promise<Tracing> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: share } = config;
  if (endpoint === undefined) return NO_TRACING;
  const { startTracing } = await import('@pushfleet/service-kit/tracing');
  return startTracing({ service, endpoint, share });
}
