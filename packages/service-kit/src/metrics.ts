import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
  type CounterConfiguration,
  type GaugeConfiguration,
  type HistogramConfiguration,
} from 'prom-client';

type Registered<Configuration> = Omit<Configuration, 'registers'>;

export interface Metrics {
  readonly registry: Registry;
  readonly contentType: string;
  /** Connections that the port of the metrics itself refused. */
  readonly probeRefusals: Counter<'reason'>;
  text(): Promise<string>;
  counter<Label extends string>(configuration: Registered<CounterConfiguration<Label>>): Counter<Label>;
  gauge<Label extends string>(configuration: Registered<GaugeConfiguration<Label>>): Gauge<Label>;
  histogram<Label extends string>(configuration: Registered<HistogramConfiguration<Label>>): Histogram<Label>;
}

/** A registry of its own per process, with the runtime's metrics as `pushfleet_process_…` and `pushfleet_nodejs_…`. */
export function openMetrics(service: string): Metrics {
  const registry = new Registry();
  const registers = [registry];
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry, prefix: 'pushfleet_' });
  return {
    registry,
    contentType: registry.contentType,
    probeRefusals: new Counter({
      name: 'pushfleet_probe_connections_refused_total',
      help: 'Connections to the port of metrics and probes that were ended to make room, by what there was too much of.',
      labelNames: ['reason'],
      registers,
    }),
    text: () => registry.metrics(),
    counter: (configuration) => new Counter({ ...configuration, registers }),
    gauge: (configuration) => new Gauge({ ...configuration, registers }),
    histogram: (configuration) => new Histogram({ ...configuration, registers }),
  };
}
