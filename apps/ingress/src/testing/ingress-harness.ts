/// <reference types="jest" />
import { DEFAULT_APP_SETTINGS, OWN_CHANNEL, type AppWithKeys } from '@pushfleet/domain';
import { channelNames, channelOfVendor, channels } from '@pushfleet/channels';
import { edgeLimitsOf, openEdgeServer } from '@pushfleet/http-edge';
import {
  directQueue,
  openProducer,
  PUSH_REQUESTS,
  PUSH_SCHEDULE,
  queuesOf,
  RECEIPTS,
  type ChannelJob,
  type Envelope,
  type Producer,
  type ReceiptsJob,
} from '@pushfleet/queues';
import {
  closeServer,
  createLogger,
  httpLimitsOf,
  listen,
  openMetrics,
  type Metrics,
  NO_TRACING,
} from '@pushfleet/service-kit';
import { openRedis, openStore, type Store } from '@pushfleet/store';
import { anApp, endConnection, type RedisHarness, SECRET_KEY } from '@pushfleet/testing';
import { buildApp, type IngressRoute } from '../app';
import { type IngressPorts } from '../ports';
import { apiDialect } from '../http/problem';
import { loadConfig } from '../config';
import { openIngressMetrics } from '../metrics';
import { documented } from './documented';

export const PUBLIC_URL = 'https://push.example.com';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface Call {
  readonly key?: string | undefined;
  /** Text is sent as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Ingress {
  readonly url: string;
  /** Every call is made by this app, unless it brings headers of its own. */
  readonly app: AppWithKeys;
  readonly store: Store;
  readonly metrics: Metrics;
  /** `METHOD /path` of everything that the router knows. */
  readonly routes: readonly string[];
  /** By `METHOD /path`. */
  readonly rights: ReadonlyMap<string, IngressRoute['right']>;
  readonly queues: {
    direct(channel: string): Producer<ChannelJob>;
    readonly requests: Producer<Envelope>;
    readonly schedule: Producer<Envelope>;
    readonly receipts: Producer<ReceiptsJob>;
  };
  call(method: string, path: string, call?: Call): Promise<Reply>;
  asMaster(method: string, path: string, call?: Call): Promise<Reply>;
}

export interface IngressOptions {
  readonly publicUrl?: string;
  /** Another Redis than the shared one. */
  readonly redisUrl?: string;
  /** Settings that differ from the defaults. */
  readonly env?: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch; default the real ones. */
  readonly now?: () => number;
}

const json = (body: unknown): string | Buffer =>
  typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);

/** An ingress on a port of its own, over real Redis, with one app; everything is closed after the file's tests. */
export async function openIngress(harness: RedisHarness, options: IngressOptions = {}): Promise<Ingress> {
  const onError = (): void => undefined;
  const { namespace } = harness;
  const redis = await openRedis({ url: options.redisUrl ?? harness.url, patience: 'fail-fast', onError });
  harness.onClose(() => endConnection(redis));
  const producer = <T>(queue: string): Producer<T> => openProducer<T>({ redis, namespace, queue, onError });
  const direct = queuesOf([...channelNames, OWN_CHANNEL], (channel) => producer(directQueue(channel)));
  const named = {
    requests: producer<Envelope>(PUSH_REQUESTS),
    schedule: producer<Envelope>(PUSH_SCHEDULE),
    receipts: producer<ReceiptsJob>(RECEIPTS),
  };
  const queues = { ...named, direct: direct.of };
  for (const queue of [...Object.values(named), ...direct.all]) harness.onClose(() => queue.close());
  const store = openStore({ redis, namespace, secretKey: SECRET_KEY, vendors: channelOfVendor });
  const metrics = openMetrics('ingress');
  const ingressMetrics = openIngressMetrics(metrics);
  const config = loadConfig({ REDIS_URL: harness.url, SECRET_KEY, ...options.env });
  const ports: IngressPorts = {
    ...{ store, queues, channels, metrics: ingressMetrics, now: options.now ?? Date.now, signMaxAgeMs: 0 },
    log: createLogger({ LOG_LEVEL: 'silent', LOG_TO: 'stderr' }, 'ingress'),
    tracing: NO_TRACING,
    limits: edgeLimitsOf(config),
    proxyHops: config.TRUSTED_PROXY_HOPS,
    publicUrl: options.publicUrl,
    offlineMessageRetentionMs: config.OFFLINE_MESSAGE_RETENTION_MS,
  };
  const { listener, routes: table } = buildApp(ports);
  const server = openEdgeServer(
    { limits: httpLimitsOf(config), dialect: apiDialect, metrics: ingressMetrics },
    listener,
  );
  const { url } = await listen(server, { port: 0, host: '127.0.0.1', variable: 'INGRESS_PORT' });
  harness.onClose(() => {
    server.closeAllConnections();
    return closeServer(server);
  });
  const app = anApp({ hybrid: false, limits: { ...DEFAULT_APP_SETTINGS.limits, callsPerMinute: 0 } });
  await store.apps.create(app);
  const call = (method: string, path: string, { key = app.key, body, headers }: Call = {}): Promise<Reply> =>
    callHttp(url + path, {
      method,
      headers: { 'x-lc-id': app.id, 'x-lc-key': key, 'content-type': 'application/json;charset=UTF-8', ...headers },
      ...(body === undefined ? {} : { body: json(body) }),
    });
  const asMaster: Ingress['asMaster'] = (method, path, more) =>
    call(method, path, { key: `${app.masterKey},master`, ...more });
  const rights = new Map(table.map(({ method, path, right }) => [`${method} ${path}`, right]));
  const routes = [...rights.keys()];
  return { url, app, store, metrics, queues, routes, rights, call, asMaster };
}

/** Every answer that a test gets is one that the reference tells of. */
async function callHttp(url: string, init: RequestInit): Promise<Reply> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  const reply: Reply = { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  documented.expect({ method: init.method ?? 'GET', path: documentedPath(new URL(url)), ...reply });
  return reply;
}

/** A push that is asked to be a pre-flight answers like one. */
const documentedPath = ({ pathname, search }: URL): string =>
  search === '?preflight=1' ? '/1.1/push/preflight' : pathname;

/** The body of an answer whose form the test has just asserted. */
export const fieldsOf = (reply: Reply): Record<string, string> => reply.body as Record<string, string>;

export const errorBody = (code: number, message: RegExp): { code: number; error: unknown } => ({
  code,
  error: expect.stringMatching(message),
});
