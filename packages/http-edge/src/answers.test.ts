import { setTimeout as delay } from 'node:timers/promises';
import { brotliDecompressSync } from 'node:zlib';
import { until } from '@pushfleet/testing';
import { type Answer } from './answer';
import { type Endpoint } from './edge';
import { admitNamed, closeEdges, LIMITS, openEdge, type EdgeUnderTest } from './testing/edge-under-test';
import { readSlowly } from './testing/read-slowly';

afterEach(closeEdges);

const MIB = 1024 * 1024;
/** More than the buffers of two sockets hold. */
const LARGE = 'x'.repeat(24 * MIB);
const IMPATIENT = { pace: { graceMs: 300, bytesPerSecond: MIB } };

const answering = (answer: Answer, more: Partial<Endpoint<string>> = {}): Endpoint<string> => ({
  ...{ route: 'things', admit: admitNamed, payerOf: (account) => ({ account }) },
  handle: async () => answer,
  ...more,
});
const text = (body: string): Answer => ({ status: 200, contentType: 'text/plain', body });
const request = (path: string, name = 'a'): string => `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Name: ${name}\r\n\r\n`;
const get = (edge: EdgeUnderTest, path: string, headers: Record<string, string> = { 'x-name': 'a' }) =>
  fetch(edge.url + path, { headers });

/** Somebody who asks and does not read. */
async function ask(edge: EdgeUnderTest, ...requests: readonly string[]) {
  const client = await edge.send('');
  client.socket.pause();
  client.socket.write(requests.join(''));
  return client;
}

it('who takes nothing of an answer is cut off', async () => {
  const edge = await openEdge({ endpoints: { 'GET /large': answering(text(LARGE)) }, limits: IMPATIENT });
  await ask(edge, request('/large'));
  await until(async () => edge.refused.length > 0 && (await edge.connections()) === 0, { timeoutMs: 10_000 });
  expect(edge.refused).toEqual(['too-slow']);
});

it('who takes nothing of many small answers is cut off', async () => {
  const edge = await openEdge({ endpoints: { 'GET /small': answering(text('x'.repeat(8000))) }, limits: IMPATIENT });
  await ask(edge, ...Array.from({ length: 3000 }, () => request('/small')));
  await until(async () => edge.refused.length > 0 && (await edge.connections()) === 0, { timeoutMs: 10_000 });
});

it('who takes an answer slowly gets all of it', async () => {
  const limits = { pace: { graceMs: 1000, bytesPerSecond: MIB } };
  const edge = await openEdge({ endpoints: { 'GET /large': answering(text(LARGE)) }, limits });
  const startedAt = performance.now();
  expect(await readSlowly(edge.port, request('/large'))).toBeGreaterThan(LARGE.length);
  expect(performance.now() - startedAt).toBeGreaterThan(1500);
  expect(edge.refused).toEqual([]);
}, 60_000);

it('an answer that waits behind another of its connection is not the fault of who takes it', async () => {
  let finish: (answer: Answer) => void = () => undefined;
  const edge = await openEdge({
    endpoints: {
      'GET /late': answering(text(''), { handle: () => new Promise((resolve) => (finish = resolve)) }),
      'GET /large': answering(text('y'.repeat(MIB))),
    },
    limits: IMPATIENT,
  });
  const { received } = await edge.send(request('/late') + request('/large'));
  await delay(2500);
  finish(text('late'));
  await until(() => received().length > MIB, { timeoutMs: 10_000 });
  expect(received()).toContain('late');
  expect(edge.refused).toEqual([]);
});

it.each(['', 'br'])('an answer is whole, byte for byte (%s)', async (coding) => {
  const body = Array.from({ length: 200_000 }, (_, i) => `${i} é 密钥 🔑\n`).join('');
  const edge = await openEdge({ endpoints: { 'GET /large': answering(text(body)) } });
  const { received, socket } = await edge.send('');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const head = `Host: x\r\nX-Name: a\r\nConnection: close\r\nAccept-Encoding: ${coding}\r\n`;
  socket.write(`GET /large HTTP/1.1\r\n${head}\r\n`);
  await new Promise((resolve) => socket.once('end', resolve));
  expect(received()).toMatch(/^HTTP\/1\.1 200 /);
  const all = Buffer.concat(chunks);
  const sent = all.subarray(all.indexOf('\r\n\r\n') + 4);
  expect((coding === 'br' ? brotliDecompressSync(sent) : sent).toString() === body).toBe(true);
});

describe('answers that nobody has taken yet', () => {
  const limits = { ...LIMITS, bodies: { bytesInAll: 60 * MIB, bytesPerAccount: 50 * MIB } };
  const endpoints = { 'GET /large': answering(text(LARGE)), 'GET /small': answering(text('x'.repeat(4 * MIB))) };

  it('of one account are so many, and another account has its own', async () => {
    const edge = await openEdge({ endpoints, limits });
    const waiting = [await ask(edge, request('/large')), await ask(edge, request('/large'))];
    await until(async () => (await edge.connections()) === 2);
    await delay(100);
    const refused = await get(edge, '/large');
    expect(await refused.json()).toMatchObject({ problem: 'unavailable' });
    expect(edge.refused).toEqual(['answers-of-account']);
    const other = await get(edge, '/small', { 'x-name': 'b' });
    expect((await other.text()).length).toBe(4 * MIB);
    for (const { socket } of waiting) socket.destroy();
    await until(async () => (await get(edge, '/large')).status === 200);
  });

  it('take no room any more when their connection ended while they stood behind another', async () => {
    let made = 0;
    const edge = await openEdge({
      endpoints: {
        'GET /late': answering(text(''), { handle: () => new Promise(() => undefined) }),
        'GET /large': answering(text(LARGE), { handle: async () => ((made += 1), text(LARGE)) }),
      },
      limits,
    });
    const waiting = [];
    for (let i = 0; i < 2; i += 1) waiting.push(await edge.send(request('/late') + request('/large')));
    await until(async () => made === 2);
    expect((await get(edge, '/large')).status).toBe(503);
    for (const { socket } of waiting) socket.destroy();
    await until(async () => (await edge.connections()) < 2);
    const answer = await get(edge, '/large');
    expect([answer.status, (await answer.text()).length]).toEqual([200, LARGE.length]);
  });

  it('give way to a smaller one of their account', async () => {
    const edge = await openEdge({ endpoints, limits });
    for (let i = 0; i < 2; i += 1) await ask(edge, request('/large'));
    await delay(100);
    const answer = await get(edge, '/small');
    expect([answer.status, (await answer.text()).length]).toEqual([200, 4 * MIB]);
    expect(await edge.connections()).toBeLessThan(3);
  });

  it('are nobody’s burden where all callers share one', async () => {
    const edge = await openEdge({
      endpoints: { 'GET /constant': answering({ ...text(LARGE), isConstant: true }) },
      limits,
    });
    for (let i = 0; i < 10; i += 1) await ask(edge, request('/constant'));
    await delay(200);
    expect((await (await get(edge, '/constant')).text()).length).toBe(LARGE.length);
    expect(edge.refused).toEqual([]);
  });
});
