import { openEdgeMetrics, type EdgeMetrics } from '@pushfleet/http-edge';
import type { Metrics } from '@pushfleet/service-kit';

export interface ConsoleMetrics extends EdgeMetrics {
  /** `route` is a route's pattern, never an address. */
  countRequest(route: string, status: number): void;
}

export function consoleMetrics(metrics: Pick<Metrics, 'counter'>): ConsoleMetrics {
  const requests = metrics.counter({
    name: 'pushfleet_console_requests_total',
    help: 'Requests to the admin API, by route and HTTP status.',
    labelNames: ['route', 'status'],
  });
  return { ...openEdgeMetrics(metrics), countRequest: (route, status) => requests.inc({ route, status }) };
}
