import { Counter, type Registry } from 'prom-client';

export interface ConsoleMetrics {
  /** `route` is a route's pattern, never an address. */
  countRequest(route: string, status: number): void;
}

export function registerConsoleMetrics(registry: Registry): ConsoleMetrics {
  const requests = new Counter({
    name: 'pushfleet_console_requests_total',
    help: 'Requests to the admin API, by route and HTTP status.',
    labelNames: ['route', 'status'],
    registers: [registry],
  });
  return { countRequest: (route, status) => requests.inc({ route, status }) };
}
