import { type RequestListener, type ServerResponse } from 'node:http';
import { openHealth, type Health, type HealthOptions, type Verdict } from './health';
import { openHttpServer } from './http-server';
import { DEFAULT_HTTP_LIMITS } from './http-limits';
import { closeServer, listen } from './listen';
import { type Metrics } from './metrics';

export interface AdminConfig {
  readonly BIND_ADDRESS: string;
  readonly METRICS_PORT: number;
}

export interface AdminOptions extends HealthOptions {
  readonly metrics: Metrics;
  /** For a request to arrive, although nobody reads what comes after its head, and for its answer to be taken. */
  readonly requestTimeoutMs?: number;
}

export interface Admin extends Pick<Health, 'waitsFor' | 'ready' | 'addLiveness' | 'addReadiness' | 'addNote'> {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

interface Page {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

const json = (status: number, body: unknown): Page => ({
  status,
  contentType: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
});

const verdictPage = ({ isOk, failures, notes }: Verdict): Page =>
  isOk ? json(200, { status: 'ok', notes }) : json(503, { status: 'failing', failures });

const NOT_FOUND = json(404, { code: 404, error: 'Only /metrics, /healthz and /readyz are served here.' });

const WRONG_METHOD = json(405, { code: 405, error: 'The method must be GET or HEAD.' });

const send = (res: ServerResponse, { status, contentType, body }: Page) =>
  res.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' }).end(body);

/** What many ask for at the same time is made once. Who comes meanwhile joins: a probe has no time for two. */
function shared(make: () => Promise<Page>): () => Promise<Page> {
  let making: Promise<Page> | undefined;
  return () => (making ??= make().finally(() => (making = undefined)));
}

type Pages = Readonly<Record<string, () => Promise<Page>>>;

function answerWith(pages: Pages, timeoutMs: number): RequestListener {
  return (req, res) => {
    // One that is never taken would hold its place, and the process when it stops.
    const late = setTimeout(() => req.socket.destroy(), timeoutMs).unref();
    res.once('close', () => clearTimeout(late));
    const [path = ''] = (req.url ?? '').split('?');
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
    if (page && req.method !== 'GET' && req.method !== 'HEAD')
      return void send(res.setHeader('allow', 'GET, HEAD'), WRONG_METHOD);
    const answer = page?.() ?? Promise.resolve(NOT_FOUND);
    void answer
      .catch((error: unknown) => json(500, { code: 1, error: error instanceof Error ? error.message : 'unknown' }))
      .then((ready) => send(res, ready));
  };
}

const REQUEST_TIMEOUT_MS = 10_000;

/** Serves the probes and the metrics on a port that is never the public one. */
export async function serveAdmin(
  config: AdminConfig,
  { metrics, requestTimeoutMs = REQUEST_TIMEOUT_MS, ...options }: AdminOptions,
): Promise<Admin> {
  const health = openHealth(options);
  const server = openHttpServer(
    {
      limits: { ...DEFAULT_HTTP_LIMITS, headersTimeoutMs: requestTimeoutMs },
      onRefused: (reason) => metrics.probeRefusals.inc({ reason }),
      more: { requestTimeout: requestTimeoutMs },
    },
    answerWith(
      {
        '/metrics': shared(async () => ({ status: 200, contentType: metrics.contentType, body: await metrics.text() })),
        '/healthz': shared(async () => verdictPage(await health.liveness())),
        '/readyz': shared(async () => verdictPage(await health.readiness())),
      },
      requestTimeoutMs,
    ),
  );
  const { port, url } = await listen(server, {
    port: config.METRICS_PORT,
    host: config.BIND_ADDRESS,
    variable: 'METRICS_PORT',
  });
  const { waitsFor, ready, addLiveness, addReadiness, addNote } = health;
  return { url, port, waitsFor, ready, addLiveness, addReadiness, addNote, close: () => closeServer(server) };
}
