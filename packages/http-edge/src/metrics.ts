import { type Metrics } from '@pushfleet/service-kit';

export interface EdgeMetrics {
  /** `reason` is one of a closed list: a problem, or what there was not enough of. */
  refused(reason: string): void;
}

export function openEdgeMetrics({ counter }: Pick<Metrics, 'counter'>): EdgeMetrics {
  const refusals = counter({
    name: 'pushfleet_http_refusals_total',
    help: 'Requests and connections that were refused or given up, by reason.',
    labelNames: ['reason'],
  });
  return { refused: (reason) => refusals.inc({ reason }) };
}
