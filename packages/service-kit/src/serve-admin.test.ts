import { once } from 'node:events';
import { connect } from 'node:net';
import { until } from '@pushfleet/testing';
import { openMetrics } from './metrics';
import { serveAdmin, type Admin } from './serve-admin';

const config = { BIND_ADDRESS: '127.0.0.1', METRICS_PORT: 0 };
const stopping = new AbortController();
const metrics = openMetrics('ingress');
let admin: Admin;

beforeAll(async () => {
  admin = await serveAdmin(config, { metrics, stopping: stopping.signal, requestTimeoutMs: 1000 });
});
afterAll(() => admin.close());

const get = async (path: string) => {
  const answer = await fetch(admin.url + path);
  return { status: answer.status, body: await answer.text() };
};

describe('serveAdmin', () => {
  it('serves the metrics of the process and its runtime under one prefix', async () => {
    metrics.counter({ name: 'pushfleet_pushes_total', help: 'Pushes.' }).inc();
    metrics
      .histogram({ name: 'pushfleet_wait_seconds', help: 'Wait.', labelNames: ['queue'] })
      .observe({ queue: 'receipts' }, 0.2);
    const { status, body } = await get('/metrics');
    expect(status).toBe(200);
    expect(body).toContain('pushfleet_pushes_total{service="ingress"} 1');
    expect(body).toContain('pushfleet_wait_seconds_count{service="ingress",queue="receipts"} 1');
    expect(body).toContain('pushfleet_process_cpu_seconds_total');
    expect(body.match(/^(?!#|pushfleet_).+$/gm)).toBeNull();
  });

  it('is not ready before the service says so, and not after it stops', async () => {
    expect(await get('/readyz')).toEqual({
      status: 503,
      body: '{"status":"failing","failures":{"service":"starting"}}',
    });
    admin.ready();
    expect(await get('/readyz')).toEqual({ status: 200, body: '{"status":"ok"}' });
    stopping.abort();
    expect((await get('/readyz')).status).toBe(503);
    expect((await get('/healthz')).status).toBe(200);
  });

  it('reports a failing liveness check with its reason', async () => {
    admin.addLiveness('worker', () => Promise.reject(new Error('stuck')));
    expect(await get('/healthz?verbose')).toEqual({
      status: 503,
      body: '{"status":"failing","failures":{"worker":"stuck"}}',
    });
  });

  it.each(['/', '/constructor', '/metrics/x'])('answers 404 in JSON for %s', async (path) => {
    expect(await get(path)).toMatchObject({ status: 404, body: expect.stringContaining('"code":404') });
  });

  it.each(['/metrics', '/healthz', '/readyz'])('answers 405 with Allow for another method of %s', async (path) => {
    const answer = await fetch(admin.url + path, { method: 'POST' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect(await answer.json()).toEqual({ code: 405, error: 'The method must be GET or HEAD.' });
    expect((await fetch(admin.url + path, { method: 'HEAD' })).headers.has('allow')).toBe(false);
  });

  it('ends half a request, and a body that nobody reads', async () => {
    const sockets = [
      'GET /metrics HTTP/1.1\r\nHo',
      'POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx',
    ].map((text) => {
      const socket = connect(admin.port, '127.0.0.1', () => socket.write(text));
      return socket.resume();
    });
    await Promise.all(sockets.map((socket) => once(socket, 'close')));
  });

  it('cuts off who takes no answer, and closes without waiting for it', async () => {
    const large = openMetrics('console');
    large.counter({ name: 'pushfleet_large_total', help: 'x'.repeat(16 * 1024 * 1024) });
    const page = await serveAdmin(config, { metrics: large, requestTimeoutMs: 1000 });
    const socket = connect(page.port, '127.0.0.1', () => socket.write('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n'));
    socket.once('data', () => socket.pause());
    await once(socket, 'data');
    await page.close();
    socket.resume();
    await once(socket, 'close');
  });

  it('makes what many ask for at the same time once', async () => {
    let looks = 0;
    let answer: () => void = () => undefined;
    const page = await serveAdmin(config, { metrics: openMetrics('console') });
    page.addLiveness('redis', () => {
      looks += 1;
      return new Promise<void>((resolve) => (answer = resolve));
    });
    const ask = async (): Promise<number> => (await fetch(`${page.url}/healthz`)).status;
    const many = Array.from({ length: 20 }, ask);
    await until(() => looks > 0);
    await new Promise((resolve) => setTimeout(resolve, 200));
    answer();
    expect(await Promise.all(many)).toEqual(many.map(() => 200));
    const one = ask();
    await until(() => looks === 2);
    answer();
    expect([await one, looks]).toEqual([200, 2]);
    await page.close();
  });

  it('names METRICS_PORT when the port is taken', async () => {
    await expect(serveAdmin({ ...config, METRICS_PORT: admin.port }, { metrics })).rejects.toMatchObject({
      code: 'config-invalid',
      lines: [`METRICS_PORT: port ${admin.port} is already in use`],
    });
  });
});
