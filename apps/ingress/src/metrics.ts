import { openEdgeMetrics, type EdgeMetrics } from '@pushfleet/http-edge';
import { type Metrics } from '@pushfleet/service-kit';

export type RouteName =
  | 'push'
  | 'route'
  | 'push-devices'
  | 'push-installations'
  | 'preflight'
  | 'batch'
  | 'installations'
  | 'installation'
  | 'scan'
  | 'cloud-query'
  | 'notifications'
  | 'notification'
  | 'outcomes'
  | 'retired'
  | 'scheduled-pushes'
  | 'receipts'
  | 'mutes'
  | 'client-installations'
  | 'offline-messages'
  | 'date'
  | 'reference'
  | 'other';

/** What became of a callback of a vendor: `nothing` was in it that anybody understands. */
export type CallbackOutcome = 'queued' | 'nothing' | 'refused' | 'limited';

export interface IngressMetrics extends EdgeMetrics {
  calledBack(channel: string, outcome: CallbackOutcome): void;
  answered(route: string, status: number, durationMs: number): void;
  /** A push of a batch, whose time is that of the batch. */
  pushAnswered(route: string, status: number): void;
  /** `planned` of them need no dispatcher. */
  committed(pushes: number, planned: number): void;
  registrationsMoved(count: number): void;
  installationsEvicted(count: number): void;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const GROUP_SIZES = [1, 2, 4, 8, 16, 32, 64];

export function openIngressMetrics(metrics: Pick<Metrics, 'counter' | 'histogram'>): IngressMetrics {
  const ofRequests = requestMetrics(metrics);
  const countAll = (name: string, help: string) => metrics.counter({ name, help });
  const accepted = countAll(
    'pushfleet_ingress_pushes_accepted_total',
    'Pushes answered with an objectId, repeats of a req_id included.',
  );
  const plannedPushes = countAll(
    'pushfleet_ingress_pushes_planned_total',
    'Accepted pushes to few devices, which were planned at once; a dispatcher plans the others.',
  );
  const moved = countAll(
    'pushfleet_ingress_registrations_moved_total',
    'registrationIds that the app key moved from one installation to another: reinstalled apps, or theft.',
  );
  const evicted = countAll(
    'pushfleet_ingress_installations_evicted_total',
    'Installations that nobody had confirmed and that made room for others, because their app has as many as it may.',
  );
  const groups = metrics.histogram({
    name: 'pushfleet_ingress_commit_pushes',
    help: 'Pushes that shared one group commit.',
    buckets: GROUP_SIZES,
  });
  const callbacks = metrics.counter({
    name: 'pushfleet_ingress_callbacks_total',
    help: 'Callbacks of vendors with the right key; "nothing" had nothing in it that is understood.',
    labelNames: ['channel', 'outcome'],
  });
  return {
    ...openEdgeMetrics(metrics),
    ...ofRequests,
    calledBack: (channel, outcome) => callbacks.labels(channel, outcome).inc(),
    registrationsMoved: (count) => moved.inc(count),
    installationsEvicted: (count) => evicted.inc(count),
    committed(pushes, planned) {
      accepted.inc(pushes);
      plannedPushes.inc(planned);
      groups.observe(pushes);
    },
  };
}

function requestMetrics(
  metrics: Pick<Metrics, 'counter' | 'histogram'>,
): Pick<IngressMetrics, 'answered' | 'pushAnswered'> {
  const requests = metrics.counter({
    name: 'pushfleet_ingress_requests_total',
    help: 'Requests answered, and each push of a batch beside the batch.',
    labelNames: ['route', 'status'],
  });
  const duration = metrics.histogram({
    name: 'pushfleet_ingress_request_duration_seconds',
    help: 'From the head of a request to its answer.',
    labelNames: ['route'],
    buckets: SECONDS,
  });
  const countOf = remember((key) => {
    const [route = '', status = ''] = key.split(' ');
    return requests.labels(route, status);
  });
  const durationOf = remember((route) => duration.labels(route));
  return {
    pushAnswered: (route, status) => countOf(`${route} ${status}`).inc(),
    answered(route, status, durationMs) {
      countOf(`${route} ${status}`).inc();
      durationOf(route).observe(durationMs / 1000);
    },
  };
}

/** A labelled child is looked up once: the library hashes its labels every time. */
function remember<T>(open: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    const hit = known.get(key) ?? open(key);
    known.set(key, hit);
    return hit;
  };
}
