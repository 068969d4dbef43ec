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
import { metricsText } from './metrics-text';

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

/** The metrics of a process, and of the services in it. */
export interface ProcessMetrics extends Metrics {
  /** With this value of the label `service`, in the same text. Several that ask for one service share its metrics. */
  ofService(service: string): Metrics;
}

/** With the runtime's metrics as `pushfleet_process_…` and `pushfleet_nodejs_…`, once for all services of the process. */
export function openMetrics(service: string): ProcessMetrics {
  const registries = new Map<string, Registry>();
  const registryOf = (name: string): Registry => {
    const registry = registries.get(name) ?? new Registry();
    registry.setDefaultLabels({ service: name });
    registries.set(name, registry);
    return registry;
  };
  const registry = registryOf(service);
  collectDefaultMetrics({ register: registry, prefix: 'pushfleet_' });
  const common = {
    contentType: registry.contentType,
    probeRefusals: new Counter({
      name: 'pushfleet_probe_connections_refused_total',
      help: 'Connections to the port of metrics and probes that were ended to make room, by what there was too much of.',
      labelNames: ['reason'],
      registers: [registry],
    }),
    text: () => metricsText([...registries.values()]),
  };
  return {
    ...common,
    ...metricsIn(registry, () => undefined),
    ofService(name) {
      const isNew = !registries.has(name);
      const shared = registryOf(name);
      if (isNew) tellStart(shared);
      return { ...common, ...metricsIn(shared, (metric) => shared.getSingleMetric(metric)) };
    },
  };
}

/** Of every service, since alerts ask by it whether a service is there; the rest of the runtime's metrics would add up to too much. */
function tellStart(registry: Registry): void {
  const start = new Gauge({
    name: 'pushfleet_process_start_time_seconds',
    help: 'Start time of the process since unix epoch in seconds.',
    registers: [registry],
  });
  start.set(Math.round(performance.timeOrigin / 1000));
}

/** `known` finds a metric that need not be opened again; another that is there already is a mistake, and throws. */
function metricsIn(
  registry: Registry,
  known: (name: string) => unknown,
): Pick<Metrics, 'registry' | 'counter' | 'gauge' | 'histogram'> {
  const registers = [registry];
  const once = <M>(name: string, open: () => M): M => (known(name) as M | undefined) ?? open();
  return {
    registry,
    counter: (configuration) => once(configuration.name, () => new Counter({ ...configuration, registers })),
    gauge: (configuration) => once(configuration.name, () => new Gauge({ ...configuration, registers })),
    histogram: (configuration) => once(configuration.name, () => new Histogram({ ...configuration, registers })),
  };
}
