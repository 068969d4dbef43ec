import { openEdgeMetrics, type EdgeMetrics } from '@pushfleet/http-edge';
import type { Metrics } from '@pushfleet/service-kit';

export interface ConsoleMetrics extends EdgeMetrics {
  /** `route` is a route's pattern, never an address. */
  countRequest(route: string, status: number): void;
  readonly dearReads: DearReadMetrics;
}

export interface DearReadMetrics {
  /** So many more wait, or fewer. */
  waiting(change: number): void;
  refused(): void;
}

export function consoleMetrics(metrics: Pick<Metrics, 'counter' | 'gauge'>): ConsoleMetrics {
  const requests = metrics.counter({
    name: 'pushfleet_console_requests_total',
    help: 'Requests to the admin API, by route and HTTP status.',
    labelNames: ['route', 'status'],
  });
  return {
    ...openEdgeMetrics(metrics),
    countRequest: (route, status) => requests.inc({ route, status }),
    dearReads: dearReadMetrics(metrics),
  };
}

function dearReadMetrics({ counter, gauge }: Pick<Metrics, 'counter' | 'gauge'>): DearReadMetrics {
  const waiting = gauge({
    name: 'pushfleet_console_dear_reads_waiting',
    help: 'Reads that look at many records and wait for their turn.',
  });
  const refused = counter({
    name: 'pushfleet_console_dear_reads_refused_total',
    help: 'Reads that look at many records, refused because too many of the same person or token wait.',
  });
  return { waiting: (change) => waiting.inc(change), refused: () => refused.inc() };
}
