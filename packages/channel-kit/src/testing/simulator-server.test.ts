import { isGone, jsonAnswer, type ChannelSimulator } from './simulator';
import { serveSimulator, type SimulatorServer } from './simulator-server';

const LIMIT_BYTES = 4 * 1024 * 1024;

const simulator: ChannelSimulator = {
  handles: (path) => path.startsWith('/v/'),
  answer: ({ body }) => ({
    ...jsonAnswer({ ok: true }),
    sent: { pushId: 'p', registrationIds: body.split(',').filter((id) => !isGone(id)), messageId: 'm', message: body },
  }),
  misbehave: (kind) => jsonAnswer({ kind }, 503),
};

let server: SimulatorServer;
beforeEach(async () => {
  server = await serveSimulator(simulator);
});
afterEach(() => server.close());

const send = (signal?: AbortSignal) =>
  fetch(`${server.origin}/v/send`, { method: 'POST', body: 'a,b', ...(signal && { signal }) });
const okAgain = async () => expect(await (await send()).json()).toEqual({ ok: true });

test('what reached devices, and what was asked, can be read', async () => {
  await okAgain();
  expect(server.sent).toMatchObject([{ registrationIds: ['a', 'b'] }]);
  expect(server.requests).toMatchObject([{ path: '/v/send', body: 'a,b' }]);
  expect((await fetch(`${server.origin}/elsewhere`)).status).toBe(404);
});

test.each(['slow', 'late'] as const)('%s takes the message at once and answers later', async (kind) => {
  server.fault({ kind, delayMs: 60_000 });
  const waiting = new AbortController();
  const answer = send(waiting.signal);
  while (server.sent.length === 0) await new Promise(setImmediate);
  waiting.abort();
  await expect(answer).rejects.toThrow('abort');
  await okAgain();
});

test('drip sends its answer a byte at a time, and all of it', async () => {
  server.fault({ kind: 'drip', delayMs: 5 });
  const answer = await send();
  const sizes: number[] = [];
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) sizes.push(chunk.length);
  expect(sizes.length).toBeGreaterThan(1);
  expect(sizes.reduce((sum, size) => sum + size)).toBe('{"ok":true}'.length);
  expect(server.sent).toHaveLength(1);
});

test('huge is the right answer followed by more than anybody reads', async () => {
  server.fault({ kind: 'huge' });
  const text = await (await send()).text();
  expect(text.length).toBeGreaterThan(LIMIT_BYTES);
  expect(JSON.parse(text)).toEqual({ ok: true });
});

test('truncated takes the message and breaks off its answer', async () => {
  server.fault({ kind: 'truncated' });
  const answer = await send();
  await expect(answer.text()).rejects.toThrow('terminated');
  expect(server.sent).toHaveLength(1);
});

test('reset breaks the connection and takes nothing', async () => {
  server.fault({ kind: 'reset' });
  await expect(send()).rejects.toThrow('fetch failed');
  expect(server.sent).toEqual([]);
});

test('retry-after refuses and says in whole seconds when to come back', async () => {
  server.fault({ kind: 'retry-after', delayMs: 2_500 });
  const answer = await send();
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '3']);
  expect(server.sent).toEqual([]);
  await okAgain();
});

test('a fault of the vendor is said in its own words', async () => {
  server.fault({ kind: 'quota', count: Infinity });
  expect(await (await send()).json()).toEqual({ kind: 'quota' });
  expect((await send()).status).toBe(503);
  server.heal();
  await okAgain();
});
