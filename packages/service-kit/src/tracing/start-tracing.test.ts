import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace-base';
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

const servers: Server[] = [];

async function serve(handle: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(handle);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterAll(() => servers.forEach((server) => void server.close().closeAllConnections()));

it('is not there without a receiver', async () => {
  const tracing = await openTracing('test', { OTEL_TRACES_SAMPLER_ARG: 1 });
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
  const requests = named('GET /first/secret-1');
  expect(requests).toHaveLength(2);
  expect(named('GET /metrics')).toEqual([]);
  const first = requests.find((request) => idOf(request) === commit?.parentSpanContext?.spanId);
  const other = requests.find((request) => request !== first);
  expect(traceOf(commit)).toBe(traceOf(first));
  expect([traceOf(call), call?.parentSpanContext?.spanId]).toEqual([traceOf(first), idOf(commit)]);
  expect(commit?.links.map(({ context }) => context.spanId)).toEqual([idOf(other)]);
  expect(other?.links.map(({ context }) => context.spanId)).toEqual([idOf(commit)]);
});

it('does not let a caller decide that its trace is kept', async () => {
  const { spans, tracing } = follow(0);
  const door = await serve((_req, res) => res.end());
  await fetch(`${door}/1.1/push`, { headers: { traceparent: `00-${'a1'.repeat(16)}-${'b2'.repeat(8)}-01` } });
  await tracing.close();
  expect(spans).toEqual([]);
});

it('ends well although nobody takes its spans', async () => {
  const refuse: SpanExporter = {
    export: (_spans, done) => done({ code: 1, error: new Error('away') }),
    shutdown: () => Promise.reject(new Error('away')),
  };
  const tracing = startTracing({ service: 'test', endpoint: 'http://127.0.0.1:9', share: 1 }, refuse);
  await tracing.runFor('work', [tracing.mark()], () => Promise.resolve());
  await expect(tracing.close()).resolves.toBeUndefined();
});

function follow(share: number): { readonly spans: readonly ReadableSpan[]; readonly tracing: Tracing } {
  const exporter = new Kept();
  const tracing = startTracing({ service: 'test', endpoint: 'http://127.0.0.1:9', share }, exporter);
  return { spans: exporter.spans, tracing };
}

const idOf = (span: ReadableSpan | undefined): string | undefined => span?.spanContext().spanId;
const traceOf = (span: ReadableSpan | undefined): string | undefined => span?.spanContext().traceId;

/** Two requests that are answered by one call, as pushes share a commit. */
function shared(tracing: Tracing, vendor: string): Parameters<typeof createServer>[1] {
  const waiting: { mark: object; answer: () => void }[] = [];
  return (req, res) => {
    if (req.url === '/metrics') return void res.end();
    waiting.push({ mark: tracing.mark(), answer: () => res.end() });
    if (waiting.length < 2) return;
    const marks = waiting.map(({ mark }) => mark);
    void tracing.runFor('commit', marks, () => fetch(vendor)).then(() => waiting.forEach(({ answer }) => answer()));
  };
}
