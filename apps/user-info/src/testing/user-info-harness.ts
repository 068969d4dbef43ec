/// <reference types="jest" />
import { request } from 'node:http';
import { formatMacHeader, signRequest, type MacAlgorithm } from '@pushfleet/mac-auth';
import { edgeLimitsOf } from '@pushfleet/http-edge';
import { closeServer, createLogger, httpLimitsOf, listen, openMetrics, type Metrics } from '@pushfleet/service-kit';
import { openRedis, openStore, type RedisClient, type Store, type User } from '@pushfleet/store';
import { fakeClock, type FakeClock, type RedisHarness, SECRET_KEY, unique } from '@pushfleet/testing';
import { loadConfig } from '../config';
import { userInfoDialect } from '../http/dialect';
import { buildApp, type UserInfoPorts } from '../app';
import { openServer } from '../http/server';
import { openUserInfoMetrics } from '../metrics';

/** What callers sign by default. */
export const PUBLIC_HOST = 'login.example.com';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Grant {
  readonly user: User;
  readonly clientId: string;
  readonly accessToken: string;
  readonly macKey: string;
  readonly macAlgorithm: MacAlgorithm;
}

/** What a signed request says, where it differs from a right one. */
export interface Signing {
  readonly ts?: string;
  readonly nonce?: string;
  readonly method?: string;
  readonly uri?: string;
  readonly host?: string;
  readonly port?: number;
  readonly id?: string;
  readonly mac?: string;
  readonly macKey?: string;
  readonly clientId?: string;
}

export interface RawRequest {
  readonly method?: string;
  /** Sent as it is. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

export interface UserInfo {
  readonly url: string;
  readonly clock: FakeClock;
  readonly redis: RedisClient;
  readonly store: Store;
  readonly metrics: Metrics;
  /** What the log holds so far. */
  readonly logged: readonly string[];
  raw(request: RawRequest): Promise<Reply>;
  /** A signed request for the user of the grant. */
  ask(grant: Grant, signing?: Signing): Promise<Reply>;
}

export interface HarnessOptions extends Partial<Pick<UserInfoPorts, 'publicUrls' | 'windowMs' | 'proxyHops'>> {
  readonly limits?: Partial<UserInfoPorts['limits']>;
  /** Settings that differ from the defaults. */
  readonly env?: Readonly<Record<string, string>>;
  /** Another Redis than the shared one. */
  readonly redisUrl?: string;
  readonly clock?: FakeClock;
}

export const uriOf = (clientId: string): string => `/api/v1/user/info?client_id=${clientId}`;

export function headerOf(grant: Grant, clock: FakeClock, signing: Signing = {}): string {
  const { clientId, accessToken, macKey, macAlgorithm } = grant;
  const said = {
    ...{ ts: String(Math.floor(clock.now() / 1000)), nonce: unique('n'), method: 'GET', host: PUBLIC_HOST, port: 443 },
    ...{ uri: uriOf(signing.clientId ?? clientId), id: accessToken, macKey },
    ...signing,
  };
  return formatMacHeader({ mac: signRequest(said, { macKey: said.macKey, macAlgorithm }), ...said });
}

/** A service on a port of its own over a real Redis; everything is closed after the file's tests. */
export async function openUserInfo(harness: RedisHarness, options: HarnessOptions = {}): Promise<UserInfo> {
  const { clock = fakeClock(), publicUrls = [`https://${PUBLIC_HOST}`], windowMs = 300_000, proxyHops = 0 } = options;
  const url = options.redisUrl ?? harness.url;
  const redis = await openRedis({ url, patience: 'fail-fast', onError: () => undefined });
  harness.onClose(() => redis.disconnect());
  const store = openStore({ redis, namespace: harness.namespace, secretKey: SECRET_KEY, vendors: new Map() });
  const metrics = openMetrics('user-info');
  const logged: string[] = [];
  const sink = { write: (line: string) => void logged.push(line) };
  const config = loadConfig({ REDIS_URL: url, SECRET_KEY, ...options.env });
  const apiMetrics = openUserInfoMetrics(metrics);
  const dialect = userInfoDialect(clock.now);
  const listener = buildApp({
    ...{ store, publicUrls, windowMs, proxyHops, now: clock.now, dialect, metrics: apiMetrics },
    edgeLimits: edgeLimitsOf(config),
    limits: { perAddress: 0, perToken: 0, requestsPerToken: 0, ...options.limits },
    log: createLogger({ LOG_LEVEL: 'trace', LOG_TO: 'stderr' }, 'user-info', sink),
  });
  const server = openServer({ limits: httpLimitsOf(config), dialect, metrics: apiMetrics }, listener);
  const listening = await listen(server, { port: 0, host: '127.0.0.1', variable: 'USER_INFO_PORT' });
  harness.onClose(() => {
    server.closeAllConnections();
    return closeServer(server);
  });
  const raw = (sent: RawRequest) => sendRaw(listening.port, sent);
  const ask = (grant: Grant, signing: Signing = {}) => {
    const { method = 'GET', uri = uriOf(signing.clientId ?? grant.clientId) } = signing;
    return raw({ method, path: uri, headers: { authorization: headerOf(grant, clock, signing) } });
  };
  return { url: listening.url, clock, redis, store, metrics, logged, raw, ask };
}

function sendRaw(port: number, { method = 'GET', path, headers = {} }: RawRequest): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const req = request({ port, host: '127.0.0.1', method, path, headers, setHost: !('host' in headers) }, (res) => {
      let text = '';
      res.setEncoding('utf8');
      res.on('data', (chunk: string) => (text += chunk));
      res.on('error', reject);
      res.on('end', () => {
        const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
        resolve({ status: res.statusCode ?? 0, headers: res.headers, text, body });
      });
    });
    req.on('error', reject);
    req.end();
  });
}

/** A user who let a client in. */
export async function aGrant(
  { users, clients, macTokens }: Pick<Store, 'users' | 'clients' | 'macTokens'>,
  changes: Partial<Grant> = {},
): Promise<Grant> {
  const grant: Grant = {
    user: { user_id: unique('user'), name: '张三', avatar: 'https://example.com/a.png', gender: 1, is_guest: false },
    ...{ clientId: unique('client'), accessToken: `1/${unique('token')}-_`, macKey: unique('key') },
    macAlgorithm: 'hmac-sha-1',
    ...changes,
  };
  await users.put(grant.user);
  await clients.put({ client_id: grant.clientId, name: 'Game', developer_id: 'default' });
  const added = await macTokens.add({ ...grant, userId: grant.user.user_id });
  if (added !== 'added') throw new Error(`the token was not added: ${added}`);
  return grant;
}
