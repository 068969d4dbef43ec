import { openEdgeMetrics, type EdgeMetrics } from '@pushfleet/http-edge';
import { type Metrics } from '@pushfleet/service-kit';
import { type ErrorCode } from './http/problem';

export type Outcome = ErrorCode | 'ok';

export interface UserInfoMetrics extends EdgeMetrics {
  answered(outcome: Outcome, durationMs: number): void;
}

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export function openUserInfoMetrics(metrics: Pick<Metrics, 'counter' | 'histogram'>): UserInfoMetrics {
  const requests = metrics.counter({
    name: 'pushfleet_user_info_requests_total',
    help: 'Requests answered; outcome is ok or the error code.',
    labelNames: ['outcome'],
  });
  const duration = metrics.histogram({
    name: 'pushfleet_user_info_request_duration_seconds',
    help: 'From the head of a request to its answer.',
    buckets: SECONDS,
  });
  // A labelled child is looked up once: the library hashes its labels every time.
  const children = new Map<Outcome, ReturnType<typeof requests.labels>>();
  const childOf = (outcome: Outcome) => {
    const child = children.get(outcome) ?? requests.labels(outcome);
    children.set(outcome, child);
    return child;
  };
  return {
    ...openEdgeMetrics(metrics),
    answered(outcome, durationMs) {
      childOf(outcome).inc();
      duration.observe(durationMs / 1000);
    },
  };
}
