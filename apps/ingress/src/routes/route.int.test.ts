import { redisHarness, unique } from '@pushfleet/testing';
import { fieldsOf, openIngress, PUBLIC_URL, type Ingress } from '../testing/ingress-harness';

const harness = redisHarness();
let ingress: Ingress;
const nodes: string[] = [];

beforeAll(async () => {
  ingress = await openIngress(harness, { publicUrl: PUBLIC_URL });
});

/** The answer is at most a second old. */
const passCache = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1010));

async function announce(urls: readonly string[], isDraining = false): Promise<string> {
  const id = unique('node');
  nodes.push(id);
  await ingress.store.gateways.beat({ id, urls, isDraining });
  return id;
}

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((id) => ingress.store.gateways.leave(id)));
  await passCache();
});

const anonymous = { 'x-lc-id': '', 'x-lc-key': '' };
const route = (query = '?appId=x&installationId=y&secure=1', path = '/v1/route') =>
  ingress.call('GET', `${path}${query}`, { headers: anonymous });

describe('200', () => {
  test('anybody is told two addresses and how long they hold', async () => {
    await announce(['wss://a.example.com', 'wss://b.example.com']);
    const reply = await route();
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      groupId: 'g0',
      ttl: 3600,
      server: expect.stringMatching(/^wss:\/\/[ab]\.example\.com$/),
      secondary: expect.stringMatching(/^wss:\/\/[ab]\.example\.com$/),
    });
    expect(fieldsOf(reply)['server']).not.toBe(fieldsOf(reply)['secondary']);
  });

  test.each(['', '?appId=unknown', '?appId='])('the query %j changes nothing', async (query) => {
    await announce(['wss://a.example.com']);
    expect((await route(query)).body).toMatchObject({
      server: 'wss://a.example.com',
      secondary: 'wss://a.example.com',
    });
  });

  test('of several gateways every one is named, in both places', async () => {
    for (const name of ['a', 'b', 'c']) await announce([`wss://${name}.example.com`]);
    const seen = { server: new Set<string>(), secondary: new Set<string>() };
    for (let n = 0; n < 60; n += 1) {
      const { server = '', secondary = '' } = fieldsOf(await route());
      expect(server).not.toBe(secondary);
      seen.server.add(server);
      seen.secondary.add(secondary);
    }
    expect([seen.server.size, seen.secondary.size]).toEqual([3, 3]);
  });

  test('a draining gateway is named no more', async () => {
    await announce(['wss://a.example.com'], true);
    await announce(['wss://b.example.com']);
    expect((await route()).body).toMatchObject({ server: 'wss://b.example.com', secondary: 'wss://b.example.com' });
  });

  test('the older question is answered with the hosts of all services too', async () => {
    await announce(['wss://a.example.com']);
    const { body } = await route('?appId=x', '/2/route');
    const host = new URL(PUBLIC_URL).host;
    expect(body).toMatchObject({ ttl: 3600, api_server: host, push_server: host, rtm_router_server: host });
    expect(body).toMatchObject({ server: 'wss://a.example.com', secondary: 'wss://a.example.com' });
  });
});

describe('503', () => {
  test.each(['/v1/route', '/2/route'])('%s says so when there is no gateway', async (path) => {
    const reply = await route('?appId=x', path);
    expect([reply.status, reply.body]).toEqual([503, { code: 503, error: expect.any(String) }]);
    expect(reply.headers.get('retry-after')).not.toBeNull();
  });

  test('the same when all are draining', async () => {
    await announce(['wss://a.example.com'], true);
    expect((await route()).status).toBe(503);
  });
});
