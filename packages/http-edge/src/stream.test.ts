import { LIMITS } from '@pushfleet/domain';
import { until } from '@pushfleet/testing';
import { type Rest } from './answer';
import { type Endpoint } from './edge';
import { admitNamed, closeEdges, openEdge } from './testing/edge-under-test';
import { readSlowly } from './testing/read-slowly';

afterEach(closeEdges);

const REQUEST = 'GET /stream HTTP/1.1\r\nHost: x\r\nX-Name: a\r\n\r\n';
/** More than the buffers of two sockets hold. */
const [PIECE, PIECES] = ['x'.repeat(1024 * 1024), 64];

/** A body whose later pieces are made by `next`. */
const streaming = (next: Rest['next'], deadlineMs?: number): { readonly 'GET /stream': Endpoint<string> } => ({
  'GET /stream': {
    ...{ route: 'stream', admit: admitNamed, ...(deadlineMs === undefined ? {} : { deadlineMs }) },
    handle: async ({ caller: account }) => ({
      ...{ status: 200, contentType: 'text/plain', body: 'begin\n' },
      rest: { account, next, brokenOff: ({ body }) => `broken off: ${body}\n` },
    }),
  },
});

const endless = (): { readonly next: Rest['next']; given(): number } => {
  let given = 0;
  return {
    next: () => Promise.resolve((given += 1) > PIECES ? undefined : PIECE),
    given: () => given,
  };
};
const get = (url: string, name = 'a') => fetch(`${url}/stream`, { headers: { 'x-name': name } });

it('whoever reads gets all pieces in their order, and the end', async () => {
  let n = 0;
  const edge = await openEdge({
    endpoints: streaming(() => Promise.resolve((n += 1) > 1000 ? undefined : n % 3 === 0 ? '' : `${n}\n`)),
  });
  const answer = await get(edge.url);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain']);
  const expected = Array.from({ length: 1000 }, (_, i) => i + 1).filter((i) => i % 3 !== 0);
  expect(await answer.text()).toBe(['begin', ...expected, ''].join('\n'));
  expect(edge.refused).toEqual([]);
});

it('whoever makes a body is told that it ended, by its end, by an error and by a caller who left', async () => {
  const ends: string[] = [];
  const nexts: Readonly<Record<string, Rest['next']>> = {
    end: () => Promise.resolve(undefined),
    error: () => Promise.reject(new Error('no more')),
    left: () => new Promise((resolve) => setTimeout(resolve, 20, 'more\n')),
  };
  const edge = await openEdge({
    endpoints: {
      'GET /stream': {
        ...{ route: 'stream', admit: admitNamed },
        handle: async ({ caller: name }) => {
          const next = nexts[name] ?? (() => Promise.resolve(undefined));
          const rest: Rest = { account: name, next, brokenOff: () => '', ended: () => void ends.push(name) };
          return { status: 200, contentType: 'text/plain', body: 'begin\n', rest };
        },
      },
    },
  });
  for (const name of ['end', 'error']) await (await get(edge.url, name)).text();
  const leaver = new AbortController();
  await fetch(`${edge.url}/stream`, { headers: { 'x-name': 'left' }, signal: leaver.signal });
  leaver.abort();
  await until(() => Promise.resolve(ends.length === 3));
  expect(ends).toEqual(['end', 'error', 'left']);
});

it('no piece is made that nobody takes, and who takes nothing is cut off', async () => {
  const { next, given } = endless();
  const limits = { pace: { graceMs: 300, bytesPerSecond: 64 * 1024 } };
  const edge = await openEdge({ endpoints: streaming(next), limits });
  const { socket } = await edge.send('');
  socket.pause();
  socket.write(REQUEST);
  await until(async () => edge.refused.length > 0 && (await edge.connections()) === 0, { timeoutMs: 20_000 });
  expect(edge.refused).toEqual(['too-slow']);
  expect(given()).toBeLessThan(PIECES);
});

it('a caller who takes the first piece slowly gets all of it', async () => {
  const whole = PIECE.repeat(24);
  const edge = await openEdge({
    endpoints: {
      'GET /stream': {
        ...{ route: 'stream', admit: admitNamed },
        handle: async () => ({
          ...{ status: 200, contentType: 'text/plain', body: whole },
          rest: { next: () => Promise.resolve(undefined), brokenOff: () => 'broken off' },
        }),
      },
    },
    limits: { pace: { graceMs: 500, bytesPerSecond: 1024 * 1024 } },
  });
  expect(await readSlowly(edge.port, REQUEST)).toBeGreaterThan(whole.length);
  expect(edge.refused).toEqual([]);
}, 60_000);

it('who does not take what breaks a body off is cut off', async () => {
  const edge = await openEdge({
    endpoints: {
      'GET /stream': {
        ...{ route: 'stream', admit: admitNamed },
        handle: async () => ({
          ...{ status: 200, contentType: 'text/plain', body: 'begin\n' },
          rest: { next: () => Promise.reject(new Error('no more')), brokenOff: () => PIECE.repeat(24) },
        }),
      },
    },
    limits: { pace: { graceMs: 300, bytesPerSecond: 64 * 1024 * 1024 } },
  });
  const { socket } = await edge.send('');
  socket.pause();
  socket.write(REQUEST);
  await until(async () => edge.refused.length > 0 && (await edge.connections()) === 0, { timeoutMs: 10_000 });
});

it('a caller who waits a while gets the rest all the same', async () => {
  const { next, given } = endless();
  const edge = await openEdge({ endpoints: streaming(next, 200) });
  const { socket, received, ended } = await edge.send('');
  socket.pause();
  socket.write(REQUEST.replace('Host', 'Connection: close\r\nHost'));
  // Longer than a piece may take to make: the time of the caller does not count.
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(given()).toBeLessThan(PIECES);
  socket.resume();
  await ended;
  expect(received().length).toBeGreaterThan(PIECE.length * PIECES);
  expect(edge.refused).toEqual([]);
});

it('nothing is made any more for a caller who left', async () => {
  let given = 0;
  const slow = async (): Promise<string> => {
    given += 1;
    await new Promise((resolve) => setTimeout(resolve, 20));
    return 'piece\n';
  };
  const edge = await openEdge({ endpoints: streaming(slow) });
  const { socket, received } = await edge.send(REQUEST);
  await until(() => received().includes('piece'));
  socket.destroy();
  await until(() => edge.refused.length > 0);
  expect(edge.refused).toEqual(['caller-gone']);
  const before = given;
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(given).toBe(before);
});

it.each([
  ['that fails', (): Promise<never> => Promise.reject(new Error('no')), 'defect'],
  ['that takes too long', () => new Promise<never>(() => undefined), 'unavailable'],
])('a piece %s ends the body with a line that says so', async (_, fails, problem) => {
  let given = 0;
  const edge = await openEdge({
    endpoints: streaming(() => (given++ === 0 ? Promise.resolve('one\n') : fails()), 300),
  });
  const text = await (await get(edge.url)).text();
  expect(text).toMatch(/^begin\none\nbroken off: \{.*\}\n$/);
  expect(text).toContain(`"problem":"${problem}"`);
});

it('one account has few streams at once, and another one its own', async () => {
  const edge = await openEdge({
    endpoints: streaming(async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return 'piece\n';
    }),
  });
  const clients = [];
  for (let i = 0; i < LIMITS.streams.value; i += 1) clients.push(await edge.send(REQUEST));
  for (const { received } of clients) await until(() => received().includes('piece'));
  const refused = await get(edge.url);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
  const other = await edge.send(REQUEST.replace('X-Name: a', 'X-Name: b'));
  await until(() => other.received().includes('piece'));
  clients[0]?.socket.destroy();
  const isServed = async (): Promise<boolean> => {
    const next = await edge.send(REQUEST);
    await until(() => next.received() !== '');
    return next.received().startsWith('HTTP/1.1 200');
  };
  await until(isServed, { timeoutMs: 10_000 });
});
