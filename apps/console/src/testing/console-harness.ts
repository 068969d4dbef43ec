import { join } from 'node:path';
import { readJson, writeJson } from '@pushfleet/domain';
import { openTokenCache, type VendorHttp } from '@pushfleet/channel-kit';
import { simulatorHttp, type ChannelSimulator, type SimulatorHttp } from '@pushfleet/channel-kit/testing';
import { channelNames, channelOfVendor, channels } from '@pushfleet/channels';
import { simulators } from '@pushfleet/channels/simulators';
import { edgeLimitsOf, openEdgeServer } from '@pushfleet/http-edge';
import { closeServer, createLogger, httpLimitsOf, listen } from '@pushfleet/service-kit';
import { openRedis, openStore, readRedisFacts, type RedisClient, type Store } from '@pushfleet/store';
import { redisHarness, SECRET_KEY, type RedisHarness } from '@pushfleet/testing';
import { buildApp, type ConsoleRoute } from '../app';
import { loadConsoleConfig, sessionSettings } from '../config';
import { adminDialect } from '../http/dialect';
import { openOidc, type OidcParts } from '../people/oidc/open-oidc';
import { oidcSettings } from '../people/oidc/settings';
import type { ConsolePorts } from '../ports';
import { openPushApi } from '../push-api';
import { openQueues } from '../queues';
import { documented } from './documented';

export const ADMIN_TOKEN = 'admin-token-of-the-tests';
export const INGRESS_URL = 'https://push.example.com';

/** Tests of what people send bring one of their own. */
const NO_PUSH_API = 'http://127.0.0.1:9';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

export interface ConsoleHarness {
  readonly url: string;
  /** `route status` of every request so far. */
  readonly counted: readonly string[];
  readonly store: Store;
  /** Reasons of refusals so far. */
  readonly refused: readonly string[];
  readonly redis: RedisClient;
  /** All vendors, in the process of the test. */
  readonly vendors: SimulatorHttp;
  readonly namespace: string;
  readonly routes: readonly ConsoleRoute[];
  endStreams(): Promise<void>;
  /** With the admin token, under `/api/v1`. */
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  /** A request as it is given, from the root. */
  raw(path: string, init?: RequestInit): Promise<Answer>;
}

export interface HarnessOptions {
  readonly ports?: Partial<ConsolePorts>;
  /** Instead of the vendors' simulators. */
  readonly vendorHttp?: VendorHttp;
  readonly timeoutMs?: number;
  readonly origins?: Readonly<Record<string, string>>;
  /** Settings that differ from the defaults. */
  readonly env?: Readonly<Record<string, string>>;
  readonly oidc?: Partial<OidcParts>;
  /** Instead of the Redis of the test run. */
  readonly redisUrl?: () => string;
}

/** What a console told, beside its answers. */
interface Told {
  readonly vendors: SimulatorHttp;
  readonly counted: string[];
  readonly refused: string[];
}

const nothingTold = (): Told => ({ vendors: simulatorHttp(allVendors()), counted: [], refused: [] });

type OpenConsole = Told & Pick<ConsoleHarness, 'url' | 'redis' | 'store' | 'routes' | 'endStreams'>;

/** A console on a port of its own; everything is closed after the file's tests. */
export async function openConsole(
  harness: RedisHarness,
  options: HarnessOptions = {},
  told: Told = nothingTold(),
): Promise<OpenConsole> {
  const url = options.redisUrl?.() ?? harness.url;
  const redis = await openRedis({ url, patience: 'fail-fast', onError: () => undefined });
  harness.onClose(() => redis.disconnect());
  const store = openTestStore(redis, harness.namespace);
  const queues = openQueues({ redis, namespace: harness.namespace, onError: () => undefined }, channelNames);
  harness.onClose(() => queues.close());
  const config = loadConsoleConfig({ REDIS_URL: url, SECRET_KEY, ADMIN_TOKEN, ...options.env });
  const oidc = oidcSettings(config);
  const stopping = new AbortController();
  harness.onClose(() => Promise.resolve(stopping.abort()));
  const log = createLogger({ LOG_LEVEL: 'silent', LOG_TO: 'stderr' }, 'console');
  const ports: ConsolePorts = {
    adminToken: ADMIN_TOKEN,
    sessions: { ...sessionSettings(config), hasLinks: true },
    oidc:
      oidc && openOidc(oidc, { secretKey: SECRET_KEY, now: Date.now, stopping: stopping.signal, log, ...options.oidc }),
    pages: join(__dirname, 'no-pages'),
    limits: edgeLimitsOf(config),
    proxyHops: 0,
    store,
    channels: new Map(Object.entries(channels)),
    vendors: {
      http: options.vendorHttp ?? told.vendors,
      tokens: openTokenCache(store.tokens, Date.now),
      now: Date.now,
      origins: options.origins ?? {},
      timeoutMs: options.timeoutMs ?? 5_000,
    },
    live: { tickMs: 20, heartbeatMs: 15_000 },
    settlingMs: 5000,
    now: Date.now,
    staleAfterMs: 90 * 86_400_000,
    deleteAfterMs: 180 * 86_400_000,
    queues,
    redisFacts: () => readRedisFacts(redis, { now: Date.now, namespace: harness.namespace }),
    ingressUrl: INGRESS_URL,
    pushApi: openPushApi(NO_PUSH_API),
    metrics: {
      refused: (reason) => void told.refused.push(reason),
      countRequest: (route, status) => void told.counted.push(`${route} ${status}`),
      dearReads: { waiting: () => undefined, refused: () => undefined },
    },
    log,
    ...options.ports,
  };
  const { listener, routes, endStreams } = buildApp(ports);
  const server = openEdgeServer(
    { limits: httpLimitsOf(config), dialect: adminDialect, metrics: ports.metrics },
    listener,
  );
  const listening = await listen(server, { port: 0, host: '127.0.0.1', variable: 'CONSOLE_PORT' });
  harness.onClose(async () => {
    await endStreams();
    server.closeAllConnections();
    return closeServer(server);
  });
  return { url: listening.url, redis, store, routes, endStreams, ...told };
}

/** A listening console on a real Redis; call it once at the top of a test file. */
export function consoleHarness(options: HarnessOptions = {}): ConsoleHarness {
  const harness = redisHarness();
  const told = nothingTold();
  const { vendors, counted, refused } = told;
  let started: Partial<OpenConsole> = {};
  const present = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('the console is started before the tests, not while they are declared');
    return value;
  };

  beforeAll(async () => {
    started = await openConsole(harness, options, told);
  });

  /** Every answer that a test gets is one that the reference tells of. */
  const raw = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(`${present(started.url)}${path}`, init);
    const body = (await bodyOf(response)) as Record<string, unknown>;
    const answer = { status: response.status, headers: response.headers, body };
    documented.expect({ method: init.method ?? 'GET', path: new URL(response.url).pathname, ...answer });
    return answer;
  };
  return {
    namespace: harness.namespace,
    vendors,
    counted,
    refused,
    get routes() {
      return present(started.routes);
    },
    endStreams: () => present(started.endStreams)(),
    get url() {
      return present(started.url);
    },
    get redis() {
      return present(started.redis);
    },
    get store() {
      return present(started.store);
    },
    raw,
    call: (method, path, body) =>
      raw(`/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${ADMIN_TOKEN}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: writeJson(body) }),
      }),
  };
}

/** Of what has no end, the beginning is enough. */
async function bodyOf(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/csv')) return { text: await response.text() };
  if (type !== 'text/event-stream') return readJson(await response.text());
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  return {};
}

const openTestStore = (redis: RedisClient, namespace: string): Store =>
  openStore({ redis, namespace, secretKey: SECRET_KEY, vendors: channelOfVendor });

/** One address for all vendors, as the simulator serves them. */
function allVendors(): ChannelSimulator {
  const all = Object.values(simulators).map((make) => make({ now: Date.now }) as ChannelSimulator);
  const vendorOf = (path: string): ChannelSimulator => {
    const vendor = all.find((simulator) => simulator.handles(path));
    if (!vendor) throw new Error(`no vendor serves ${path}`);
    return vendor;
  };
  return {
    handles: (path) => all.some((simulator) => simulator.handles(path)),
    answer: (request) => vendorOf(request.path).answer(request),
    misbehave: (kind, request) => vendorOf(request.path).misbehave(kind, request),
  };
}
