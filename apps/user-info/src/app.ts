import {
  Edge,
  MethodRefusal,
  openRouter,
  Refusal,
  referenceEndpoints,
  type Dialect,
  type EdgeLimits,
  type Endpoint,
  type Route,
} from '@pushfleet/http-edge';
import { type Logger } from '@pushfleet/service-kit';
import { type Store } from '@pushfleet/store';
import { type RequestListener } from 'node:http';
import { errorOf } from './http/dialect';
import { openLimitFailures } from './http/limit-failures';
import { openRequireMac } from './http/require-mac';
import { type UserInfoMetrics } from './metrics';
import { openApiDocument } from './openapi';
import { ACCOUNT_ROUTES, accountEndpoint, type AccountPath } from './routes/account';

export interface UserInfoPorts {
  readonly store: Pick<Store, 'macTokens' | 'nonces' | 'failures' | 'accountIds'>;
  readonly publicUrls: readonly string[];
  readonly windowMs: number;
  /** Trusted proxies between the callers and this process. */
  readonly proxyHops: number;
  /** Per minute: refusals of an address and of a token, and whatever a token signs; 0 for no limit. */
  readonly limits: { readonly perAddress: number; readonly perToken: number; readonly requestsPerToken: number };
  readonly edgeLimits: EdgeLimits;
  readonly dialect: Dialect;
  readonly metrics: UserInfoMetrics;
  readonly log: Pick<Logger, 'error' | 'warn'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The user information API; the caller listens. */
export function buildApp(ports: UserInfoPorts): RequestListener {
  const { dialect, log, metrics, edgeLimits, store, limits, now } = ports;
  const edge = new Edge({
    dialect,
    log,
    metrics,
    limits: edgeLimits,
    onAnswered: (_route, { problem }, durationMs) =>
      metrics.answered(problem === undefined ? 'ok' : errorOf(problem), durationMs),
  });
  const limitFailures = openLimitFailures({ failures: store.failures, ...limits });
  const requireMac = openRequireMac({ ...ports, limitFailures });
  const account = { requireMac, accountIds: store.accountIds, now };
  const reference = referenceEndpoints({
    document: () => openApiDocument(ports.publicUrls),
    nowhere,
    credentials: { mac: 'MAC id="ACCESS_TOKEN",ts="SECONDS",nonce="NONCE",mac="MAC_OF_THIS_REQUEST"' },
  });
  const read = <Caller>(path: string, endpoint: Endpoint<Caller>): Route => ({
    method: 'GET',
    path,
    serve: edge.serve(getOnly(endpoint)),
  });
  const routes = [
    ...(Object.keys(ACCOUNT_ROUTES) as readonly AccountPath[]).map((path) =>
      read(path, accountEndpoint(path, account)),
    ),
    read('/openapi.json', reference.document),
    read('/', reference.root),
    read('/docs', reference.page),
    read('/docs/:file', reference.file),
  ];
  return openRouter({ edge, routes, nowhere });
}

/** The MAC scheme signs no body: under it only GET may ever be accepted, and HEAD signs something else. */
const getOnly = <Caller>(endpoint: Endpoint<Caller>): Endpoint<Caller> => ({
  ...endpoint,
  async admit(req) {
    if (req.method !== 'GET') throw new MethodRefusal(['GET']);
    return endpoint.admit(req);
  },
});

const nowhere = (): Refusal => new Refusal('route-unknown', 'there is nothing at this address');
