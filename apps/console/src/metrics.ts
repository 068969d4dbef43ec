import type { Metrics } from '@pushfleet/service-kit';

export interface ConsoleMetrics {
  /** `route` is a route's pattern, never an address. */
  countRequest(route: string, status: number): void;
}

export function consoleMetrics({ counter }: Pick<Metrics, 'counter'>): ConsoleMetrics {
  const requests = counter({
    name: 'pushfleet_console_requests_total',
    help: 'Requests to the admin API, by route and HTTP status.',
    labelNames: ['route', 'status'],
  });
  return { countRequest: (route, status) => requests.inc({ route, status }) };
}
