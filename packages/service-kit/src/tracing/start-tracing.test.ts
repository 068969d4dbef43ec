import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { SpanKind, trace } from '@opentelemetry/api';
import { type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { createLogger } from '../logger';
import { ROUTED, type Routed } from './routed';
import { startTracing } from './start-tracing';
import { NO_TRACING, type Tracing } from './tracing';
import { openTracing } from './open-tracing';

/** Keeps what is exported beyond the end of tracing. */
class Kept implements SpanExporter {
  readonly spans: ReadableSpan[] = [];

  export(spans: ReadableSpan[], done: (result: { code: number }) => void): void {
    this.spans.push(...spans);
    done({ code: 0 });
  }

  shutdown(): Promise<void> {
    return Promise.resolve();
  }
}

const lines: Record<string, unknown>[] = [];
const log = createLogger({ LOG_LEVEL: 'info', LOG_TO: 'stdout' }, 'test', {
  write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>),
});
beforeEach(() => (lines.length = 0));

const servers: Server[] = [];

async function serve(handle: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(handle);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterAll(() => servers.forEach((server) => void server.close().closeAllConnections()));

it('is not there without a receiver', async () => {
  const tracing = await openTracing('test', { OTEL_TRACES_SAMPLER_ARG: 1 }, log);
  expect(tracing).toBe(NO_TRACING);
  expect(tracing.mark()).toBe(tracing.mark());
  expect(await tracing.runFor('work', [tracing.mark()], () => Promise.resolve(7))).toBe(7);
});

it('puts a request, what is done for several at once, and the call it makes into one trace', async () => {
  const { spans, tracing } = follow(1);
  const vendor = await serve((_req, res) => res.end('ok'));
  const door = await serve(shared(tracing, vendor));
  await Promise.all([fetch(`${door}/first/secret-1/x`), fetch(`${door}/first/secret-1/y`), fetch(`${door}/metrics`)]);
  await tracing.close();

  const named = (name: string) => spans.filter((span) => span.name === name);
  const [call] = named(`GET ${new URL(vendor).host}`);
  const [commit] = named('commit');
  const requests = named('GET /first/:id/:part');
  expect(requests).toHaveLength(2);
  expect(named('GET /metrics')).toEqual([]);
  const first = requests.find((request) => idOf(request) === commit?.parentSpanContext?.spanId);
  const other = requests.find((request) => request !== first);
  expect(traceOf(commit)).toBe(traceOf(first));
  expect([traceOf(call), call?.parentSpanContext?.spanId]).toEqual([traceOf(first), idOf(commit)]);
  expect(commit?.links.map(({ context }) => context.spanId)).toEqual([idOf(other)]);
  expect(other?.links.map(({ context }) => context.spanId)).toEqual([idOf(commit)]);
});

const traceparent = (id: string, flag: string): string => `00-${id}-${'b2'.repeat(8)}-${flag}`;

it.each([
  { share: 1, header: traceparent('a1'.repeat(16), '00'), kept: 1 },
  { share: 0, header: traceparent('a1'.repeat(16), '01'), kept: 0 },
  // The lowest of all ids, which every share of them has.
  { share: 0.0001, header: traceparent(`${'0'.repeat(31)}1`, '01'), kept: 0 },
])('with a share of $share the trace that $header names is kept $kept times', async ({ share, header, kept }) => {
  const { spans, tracing } = follow(share);
  const door = await serve((_req, res) => res.end());
  await fetch(`${door}/1.1/push`, { headers: { traceparent: header } });
  await tracing.close();
  const served = spans.filter(({ kind }) => kind === SpanKind.SERVER);
  expect(served.map(traceOf)).toEqual(Array(kept).fill(header.split('-')[1]));
});

it('keeps what a job was added in, and leaves out what the queue library does for nobody', async () => {
  const { spans, tracing } = follow(1);
  const tracer = trace.getTracer('library');
  tracer.startSpan('moveStalledJobsToWait', { kind: SpanKind.INTERNAL }).end();
  tracer.startSpan('add', { kind: SpanKind.PRODUCER }).end();
  tracer.startSpan('process', { kind: SpanKind.CONSUMER }).end();
  await tracing.runFor('work', [tracing.mark()], () => Promise.resolve());
  await tracing.close();
  expect(spans.map(({ name }) => name)).toEqual(['add', 'process']);
});

it('names a request after its row alone: an address that has none may hold anything', async () => {
  const { spans, tracing } = follow(1);
  const door = await serve((req, res) => {
    if (req.url?.startsWith('/1.1/')) routed(req, '/1.1/notifications/:id');
    res.end();
  });
  for (const path of ['/1.1/notifications/of-somebody', '/a-master-key/x', '/?key=a-key', '/healthz?deep']) {
    await fetch(door + path, { headers: { 'x-lc-key': 'a-key', 'user-agent': 'of-somebody' } });
  }
  await tracing.close();
  const served = spans.filter(({ kind }) => kind === SpanKind.SERVER);
  expect(served.map(({ name }) => name)).toEqual(['GET /1.1/notifications/:id', 'GET', 'GET']);
  expect(JSON.stringify(spans.map(({ name, attributes }) => ({ name, attributes })))).not.toMatch(
    /a-master-key|a-key|of-somebody/,
  );
});

it('tells of a request whose caller left without the answer', async () => {
  const { spans, tracing } = follow(1);
  const left = new Promise<void>((resolve) => {
    void serve((_req, res) => res.once('close', resolve)).then(async (door) => {
      const caller = connect(Number(new URL(door).port), '127.0.0.1');
      await once(caller, 'connect');
      caller.write('POST /1.1/push HTTP/1.1\r\nHost: test\r\n\r\n', () => setImmediate(() => caller.destroy()));
    });
  });
  await left;
  await tracing.close();
  const [request] = spans;
  expect([request?.name, request?.status.message]).toEqual(['POST', 'the caller is gone']);
  expect(request?.attributes).not.toHaveProperty('http.response.status_code');
});

it('ends well although nobody takes its spans', async () => {
  const refuse: SpanExporter = {
    export: (_spans, done) => done({ code: 1, error: new Error('away') }),
    shutdown: () => Promise.reject(new Error('away')),
  };
  const tracing = startTracing({ ...TARGET, share: 1 }, refuse);
  trace.getTracer('library').startSpan('add', { kind: SpanKind.PRODUCER }).end();
  await expect(tracing.close()).resolves.toBeUndefined();
});

const TARGET = { service: 'test', endpoint: 'http://127.0.0.1:9', log };

function follow(share: number): { readonly spans: readonly ReadableSpan[]; readonly tracing: Tracing } {
  const exporter = new Kept();
  const tracing = startTracing({ ...TARGET, share }, exporter);
  return { spans: exporter.spans, tracing };
}

it('does not wait for a receiver that never ends its answer', async () => {
  let end = (): void => undefined;
  const hangs: SpanExporter = {
    export: (_spans, done) => void (end = () => done({ code: 1 })),
    shutdown: () => Promise.resolve(),
  };
  const tracing = startTracing({ ...TARGET, share: 1 }, hangs);
  trace.getTracer('library').startSpan('add', { kind: SpanKind.PRODUCER }).end();
  const since = performance.now();
  await tracing.close();
  expect(performance.now() - since).toBeLessThan(4000);
  expect(lines.map(({ msg }) => msg)).toEqual(['the receiver of traces did not answer in time for the last spans']);
  end();
});

it('tells the log of spans that are lost, once, and when they are taken again', async () => {
  const away = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), { code: 'ECONNREFUSED' });
  const answers = [{ code: 1, error: away }, { code: 1, error: away }, { code: 0 }];
  const flaky: SpanExporter = {
    export: (_spans, done) => done(answers.shift() ?? { code: 0 }),
    shutdown: () => Promise.resolve(),
  };
  process.env['OTEL_BSP_MAX_EXPORT_BATCH_SIZE'] = '1';
  const tracing = startTracing({ ...TARGET, share: 1 }, flaky);
  delete process.env['OTEL_BSP_MAX_EXPORT_BATCH_SIZE'];
  while (answers.length > 0) {
    trace.getTracer('library').startSpan('add', { kind: SpanKind.PRODUCER }).end();
    await new Promise(setImmediate);
  }
  await tracing.close();
  expect(lines.map(({ msg, reason, lost }) => [msg, reason, lost])).toEqual([
    ['the receiver of traces does not take spans', 'ECONNREFUSED connect ECONNREFUSED 127.0.0.1:9', 1],
    ['the receiver of traces takes spans again', undefined, 2],
  ]);
});

const idOf = (span: ReadableSpan | undefined): string | undefined => span?.spanContext().spanId;
const traceOf = (span: ReadableSpan | undefined): string | undefined => span?.spanContext().traceId;

/** As a router does. */
const routed = (request: IncomingMessage, path: string): void => ROUTED.publish({ request, path } satisfies Routed);

/** Two requests that are answered by one call, as pushes share a commit. */
function shared(tracing: Tracing, vendor: string): Parameters<typeof createServer>[1] {
  const waiting: { mark: object; answer: () => void }[] = [];
  return (req, res) => {
    if (req.url === '/metrics') return void res.end();
    routed(req, '/first/:id/:part');
    waiting.push({ mark: tracing.mark(), answer: () => res.end() });
    if (waiting.length < 2) return;
    const marks = waiting.map(({ mark }) => mark);
    void tracing.runFor('commit', marks, () => fetch(vendor)).then(() => waiting.forEach(({ answer }) => answer()));
  };
}
