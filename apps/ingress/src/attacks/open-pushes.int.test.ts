import { LIMITS } from '@pushfleet/domain';
import { fillMasters, redisHarness, startRedisServer, until } from '@pushfleet/testing';
import { openRedis } from '@pushfleet/store';
import { openIngress, type Ingress, type Reply } from '../testing/ingress-harness';

const harness = redisHarness();
const PUSH = { where: { installationId: 'a' }, data: { alert: 'x'.repeat(3000) } };
let ingress: Ingress;
let other: Ingress;

beforeAll(async () => {
  const server = await startRedisServer();
  const redis = await openRedis({ url: server.url, patience: 'wait', onError: () => undefined });
  harness.onClose(() => {
    redis.disconnect();
    return server.close();
  });
  await fillMasters(redis, 0.75);
  [ingress, other] = [
    await openIngress(harness, { redisUrl: server.url }),
    await openIngress(harness, { redisUrl: server.url }),
  ];
});

const post = (to: Ingress, path: string, body: object): Promise<Reply> => to.asMaster('POST', path, { body });
const look = async (maxBytes: number): Promise<void> => {
  const { signal: stopping } = new AbortController();
  await ingress.store.pushRoom.look({ maxBytes, stopping, portion: (work) => work() });
};

const FULL = { code: 429, error: expect.stringMatching(/^APP_OPEN_PUSHES_BYTES: .* of 50000 /) as string };

test('what one app sends while a vendor is away leaves room for the pushes of others', async () => {
  for (let i = 0; i < 20; i += 1) expect((await post(ingress, '/1.1/push', PUSH)).status).toBe(200);
  await look(50_000);
  // For a second, a process knows what it asked before.
  const refused = await until(async () => {
    const reply = await post(ingress, '/1.1/push', PUSH);
    return reply.status === 200 ? undefined : reply;
  });
  expect(refused).toMatchObject({ status: 429, body: FULL });
  expect(refused.headers.get('retry-after')).toBe('10');
  const later = { ...PUSH, push_time: new Date(Date.now() + 3_600_000).toISOString() };
  const devices = { device_type: 'android', vendor: 'HMS', device_ids: ['a'], data: { alert: 'b' } };
  const named = { installation_ids: ['a'], data: { alert: 'b' } };
  for (const [path, body] of [
    ['/1.1/push', later],
    ['/1.1/push/devices', devices],
    ['/1.1/push/installations', named],
    ['/1.1/push/preflight', PUSH],
  ] as const)
    expect(await post(ingress, path, body)).toMatchObject({ status: 429, body: FULL });
  const requests = [{ method: 'POST', path: '/1.1/push', body: PUSH }];
  expect((await post(ingress, '/1.1/batch', { requests })).body).toEqual([{ error: FULL }]);
  expect((await post(other, '/1.1/push', PUSH)).status).toBe(200);
  const save = { deviceType: 'android', installationId: 'b' };
  expect((await ingress.call('POST', '/1.1/installations', { body: save })).status).toBe(201);
  await look(0);
  await until(async () => (await post(ingress, '/1.1/push', PUSH)).status === 200);
});

test('a push that would never expire does so after a month, which is told', async () => {
  const from = Date.now() + LIMITS.longestPushLifeMs.value;
  const { body } = await post(other, '/1.1/push', { ...PUSH, expiration_time: '9999-12-31T00:00:00.000Z' });
  const to = Date.now() + LIMITS.longestPushLifeMs.value;
  const { objectId, warnings } = body as { readonly objectId: string; readonly warnings: unknown };
  const expiresAt = (await other.store.pushes.read(objectId))?.expiresAt ?? NaN;
  expect([expiresAt >= from, expiresAt <= to]).toEqual([true, true]);
  const message = `is more than 30 days after the push: it expires at ${new Date(expiresAt).toISOString()}`;
  expect(warnings).toEqual([{ path: 'expiration_time', message }]);
});
