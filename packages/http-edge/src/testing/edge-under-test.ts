import { createLogger, DEFAULT_HTTP_LIMITS, listen, closeServer, type HttpLimits } from '@pushfleet/service-kit';
import { jsonAnswer } from '../answer';
import { headersOf, type Dialect } from '../dialect';
import { Edge, type EdgeLimits, type Endpoint } from '../edge';
import { Refusal } from '../refusal';
import { openRouter, type Route } from '../router';
import { openEdgeServer } from '../server';
import { openClient, type Client } from './open-client';

const MIB = 1024 * 1024;

const STATUSES: Readonly<Record<string, number>> = {
  ...{ unauthorised: 401, 'route-unknown': 404, 'method-unknown': 405, 'too-slow': 408, 'too-large': 413 },
  'too-many-calls': 429,
  ...{ unavailable: 503, defect: 500 },
};

/** Errors are told by their names. */
const dialect: Dialect = {
  texts: { unavailable: 'away', full: 'full', malformedUrl: 'url', defect: () => 'defect' },
  answer: (diagnosis) => jsonAnswer(STATUSES[diagnosis.problem] ?? 400, diagnosis, headersOf(diagnosis)),
  headers: ['cache-control', 'no-store'],
};

export interface EdgeUnderTest {
  readonly url: string;
  readonly port: number;
  /** Reasons of refusals so far. */
  readonly refused: readonly string[];
  connections(): Promise<number>;
  /** A connection that has sent this and closes by itself never. */
  send(text: string): Promise<Client>;
}

export interface EdgeOptions {
  readonly endpoints: Readonly<Record<string, Endpoint<string>>>;
  readonly http?: Partial<HttpLimits>;
  readonly limits?: Partial<EdgeLimits>;
}

export const LIMITS: EdgeLimits = {
  pace: { graceMs: 10_000, bytesPerSecond: 1024 },
  bodies: { bytesInAll: 192 * MIB, bytesPerAccount: 64 * MIB },
};

/** Whoever names himself in a header is known. */
export const admitNamed: Endpoint<string>['admit'] = async ({ headers }) => {
  const name = headers['x-name'];
  if (typeof name === 'string') return name;
  throw new Refusal('unauthorised', 'who are you');
};

const opened: (() => Promise<void>)[] = [];

/** Call it in an `afterEach`. */
export async function closeEdges(): Promise<void> {
  for (const close of opened.splice(0)) await close();
}

/** An edge on a port of its own. */
export async function openEdge({ endpoints, http, limits }: EdgeOptions): Promise<EdgeUnderTest> {
  const refused: string[] = [];
  const metrics = { refused: (reason: string) => void refused.push(reason) };
  const log = createLogger({ LOG_LEVEL: 'silent', LOG_TO: 'stderr' }, 'edge');
  const edge = new Edge({ dialect, log, metrics, limits: { ...LIMITS, ...limits }, onAnswered: () => undefined });
  const routes = Object.entries(endpoints).map(([place, endpoint]): Route => {
    const [method = '', path = ''] = place.split(' ');
    return { method: method as Route['method'], path, serve: edge.serve(endpoint) };
  });
  const listener = openRouter({ edge, routes, nowhere: () => new Refusal('route-unknown', 'nowhere') });
  const server = openEdgeServer({ limits: { ...DEFAULT_HTTP_LIMITS, ...http }, dialect, metrics }, listener);
  const { url, port } = await listen(server, { port: 0, host: '127.0.0.1', variable: 'PORT' });
  const clients: Client[] = [];
  opened.push(async () => {
    for (const { socket } of clients) socket.destroy();
    server.closeAllConnections();
    await closeServer(server);
  });
  const connections = (): Promise<number> =>
    new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))));
  const send = async (text: string): Promise<Client> => {
    const client = await openClient(port, text);
    clients.push(client);
    return client;
  };
  return { url, port, refused, connections, send };
}
