import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { anInstallation, aPushRequest, redisHarness, until } from '@pushfleet/testing';
import { errorBody, openIngress, type Ingress } from '../testing/ingress-harness';

const harness = redisHarness();
let ingress: Ingress;
let other: { readonly id: string; readonly key: string };

beforeAll(async () => {
  ingress = await openIngress(harness);
  const app = { ...ingress.app, id: `${ingress.app.id}b`, key: `${ingress.app.key}b` };
  await ingress.store.apps.create(app);
  other = app;
});

const MIB = 1024 * 1024;
const batchOf = (count: number, element: () => unknown): string =>
  JSON.stringify({ requests: Array.from({ length: count }, element) });
const pushes = (count: number): string =>
  batchOf(count, () => ({ method: 'POST', path: '/1.1/push', body: aPushRequest() }));
const post = (body: string) => ingress.asMaster('POST', '/1.1/batch', { body });
const pushOfOther = () =>
  ingress.call('POST', '/1.1/push', {
    body: aPushRequest(),
    headers: { 'x-lc-id': other.id, 'x-lc-key': other.key },
  });
/** Asks Redis nothing. */
const dateOfOther = () => ingress.call('GET', '/1.1/date', { headers: { 'x-lc-id': other.id, 'x-lc-key': other.key } });

describe('while one app has batches of a thousand pushes under way', () => {
  it('the pushes of another do not wait for theirs', async () => {
    const body = pushes(1000);
    const finished: string[] = [];
    const storm = Promise.all(Array.from({ length: 4 }, () => post(body).then(() => finished.push('batch'))));
    await delay(50);
    for (let i = 0; i < 5; i += 1) {
      expect((await pushOfOther()).status).toBe(200);
      finished.push('other');
    }
    // Two of the four batches run at a time; had the pushes queued behind them, both would be answered first.
    expect(finished.slice(0, 3)).toContain('other');
    await storm;
    expect(finished.filter((who) => who === 'batch')).toHaveLength(4);
  });
});

describe('a body of twenty megabytes', () => {
  it('of brackets costs nothing', async () => {
    const deep = Buffer.alloc(20 * MIB - 1, '[').toString();
    const before = process.memoryUsage().heapUsed;
    const [reply] = await Promise.all([post(deep), pushOfOther()]);
    expect(reply).toMatchObject({ status: 400, body: errorBody(107, /nests too deep/) });
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(200 * MIB);
  });

  it('is parsed while others are answered', async () => {
    const element = { method: 'POST', path: '/nowhere', body: { text: 'x'.repeat(10_000), list: [1, { a: [2] }] } };
    const body = batchOf(1900, () => element);
    expect(body.length).toBeGreaterThan(18 * MIB);
    let isAnswered = false;
    const answering = post(body).then((reply) => {
      isAnswered = true;
      return reply;
    });
    let between = 0;
    while (!isAnswered) {
      expect((await dateOfOther()).status).toBe(200);
      between += 1;
    }
    expect((await answering).status).toBe(200);
    expect(between).toBeGreaterThan(2);
  });
});

describe('a batch whose caller has gone', () => {
  it('begins no further element', async () => {
    const body = batchOf(10_000, () => ({ method: 'POST', path: '/1.1/installations', body: anInstallation() }));
    const headers = {
      'x-lc-id': ingress.app.id,
      'x-lc-key': ingress.app.key,
      'content-length': Buffer.byteLength(body),
    };
    const req = request(`${ingress.url}/1.1/batch`, { method: 'POST', headers });
    req.on('error', () => undefined);
    req.end(body);
    const saved = () => ingress.store.installations.count(ingress.app.id);
    await until(async () => (await saved()) > 0, { timeoutMs: 20_000 });
    req.destroy();
    let [before, now] = [-1, 0];
    while (before !== now) {
      await delay(500);
      [before, now] = [now, await saved()];
    }
    expect(now).toBeLessThan(10_000);
    expect((await pushOfOther()).status).toBe(200);
  });
});
