import { DAY_MS, DEFAULT_APP_SETTINGS, type AppSettings } from '@pushfleet/domain';
import { aPushRequest, redisHarness, until } from '@pushfleet/testing';
import { errorBody, openIngress, type Ingress, type IngressOptions } from '../testing/ingress-harness';

const harness = redisHarness();

/** An ingress whose app has these limits. */
async function limited(
  limits: Partial<AppSettings['limits']>,
  more: Partial<AppSettings> = {},
  options: IngressOptions = {},
): Promise<Ingress> {
  const ingress = await openIngress(harness, options);
  const all = { ...DEFAULT_APP_SETTINGS.limits, ...limits };
  await ingress.store.apps.update(ingress.app.id, (app) => ({ ...app, ...more, limits: all }));
  return ingress;
}

const push = (ingress: Ingress, body = aPushRequest()) => ingress.call('POST', '/1.1/push', { body });

type Results = readonly { readonly success?: unknown; readonly error?: { readonly code: number } }[];

const asMaster = (ingress: Ingress) => ingress.asMaster('POST', '/1.1/push', { body: aPushRequest() });
const pushes = (count: number) =>
  Array.from({ length: count }, () => ({ method: 'POST', path: '/1.1/push', body: aPushRequest() }));
const codesOf = (body: unknown): readonly number[] => (body as Results).map(({ error }) => error?.code ?? 200);

describe('calls per minute', () => {
  it('one too many closes the app for the minute that follows, and says which limit and for how long', async () => {
    const ingress = await limited({ callsPerMinute: 3 });
    const statuses = [];
    for (let i = 0; i < 5; i += 1) statuses.push((await push(ingress)).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    const refused = await push(ingress);
    expect(refused).toMatchObject({ status: 429, body: errorBody(429, /limits\.callsPerMinute: at most 3 pushes/) });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  });

  it('whoever has the app uses up what the app key may, and the server of the app goes on', async () => {
    const ingress = await limited({ callsPerMinute: 2 });
    expect((await ingress.call('POST', '/1.1/batch', { body: { requests: pushes(20) } })).status).toBe(200);
    expect((await push(ingress)).status).toBe(429);
    for (let i = 0; i < 5; i += 1) expect((await asMaster(ingress)).status).toBe(200);
  });

  it('pushes by the master key have a limit of their own, off unless it is set', async () => {
    const ingress = await limited({ callsPerMinute: 1, masterCallsPerMinute: 2 });
    const statuses = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await asMaster(ingress)).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await asMaster(ingress)).body).toMatchObject(errorBody(429, /limits\.masterCallsPerMinute: at most 2/));
    expect((await push(ingress)).status).toBe(200);
  });

  it('in a batch each push is one call: those beyond the rest are refused one by one, those before stand', async () => {
    const ingress = await limited({ callsPerMinute: 5 });
    expect((await push(ingress)).status).toBe(200);
    const { status, body } = await ingress.call('POST', '/1.1/batch', { body: { requests: pushes(10) } });
    expect(status).toBe(200);
    expect(codesOf(body)).toEqual([200, 200, 200, 200, 429, 429, 429, 429, 429, 429]);
    expect((await push(ingress)).status).toBe(429);
    expect((await ingress.call('POST', '/1.1/installations', { body: { installationId: 'i' } })).status).toBe(201);
  });

  it('a push to a long list by the app key is a call for every 4,096 bytes of it, and no more than a minute has', async () => {
    const device_ids = Array.from({ length: 100 }, (_, n) => `${n}`.padStart(80, 'r'));
    const body = { device_type: 'android', vendor: 'mi', device_ids, data: { alert: 'Hello' } };
    const requests = [{ method: 'POST', path: '/1.1/push/devices', body }];
    const ingress = await limited({ callsPerMinute: 5, masterCallsPerMinute: 2 });
    const inBatch = await ingress.call('POST', '/1.1/batch', { body: { requests } });
    expect(codesOf(inBatch.body)).toEqual([200]);
    const statuses = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await push(ingress)).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await ingress.asMaster('POST', '/1.1/push/devices', { body })).status).toBe(200);
    expect((await asMaster(ingress)).status).toBe(200);
    const small = await limited({ callsPerMinute: 2 });
    expect((await small.call('POST', '/1.1/push/devices', { body })).status).toBe(200);
    expect((await push(small)).status).toBe(429);
  });

  it('many at once get what is left and no more', async () => {
    const ingress = await limited({ callsPerMinute: 20 });
    const replies = await Promise.all(Array.from({ length: 50 }, () => push(ingress)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(20);
  });

  it('other processes count along', async () => {
    const ingress = await limited({ callsPerMinute: 2 });
    await ingress.store.quotas.takeCalls({ app: ingress.app.id, by: 'app-key', perMinute: 2 }, 2);
    expect((await push(ingress)).status).toBe(429);
  });
});

describe('what one address may ask', () => {
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
  const save = (ingress: Ingress, address: string) =>
    ingress.call('POST', '/1.1/installations', { body: { installationId: 'i' }, ...from(address) });
  const query = (ingress: Ingress, address: string) => ingress.call('GET', '/1.1/installations/x', from(address));

  it('a storm of saves from one address leaves the devices of others alone', async () => {
    const ingress = await limited({ savesPerSecond: 1, queriesPerSecond: 1 }, {}, { env: { TRUSTED_PROXY_HOPS: '1' } });
    const requests = Array.from({ length: 100 }, () => ({
      method: 'POST',
      path: '/1.1/installations',
      body: { a: 1, installationId: 'i' },
    }));
    const storm = await ingress.call('POST', '/1.1/batch', { body: { requests }, ...from('203.0.113.1') });
    expect(codesOf(storm.body).filter((code) => code === 429).length).toBeGreaterThanOrEqual(15);
    const refused = await until(async () => {
      const reply = await save(ingress, '203.0.113.1');
      return reply.status === 429 ? reply : undefined;
    });
    expect(refused?.body).toMatchObject(errorBody(429, /limits\.savesPerSecond: at most 1 saves .* 10 at once/));
    expect(refused?.headers.get('retry-after')).toBe('1');
    expect((await save(ingress, '203.0.113.2')).status).toBe(201);
    expect((await query(ingress, '203.0.113.1')).status).toBe(200);
    const { masterKey } = ingress.app;
    const body = { installationId: 'i' };
    const asServer = { body, key: `${masterKey},master`, ...from('203.0.113.1') };
    expect((await ingress.call('POST', '/1.1/installations', asServer)).status).toBe(201);
  });

  it('a private peer is most likely a proxy, and is not counted while none is trusted', async () => {
    const ingress = await limited({ savesPerSecond: 1 });
    for (let i = 0; i < 20; i += 1) expect((await save(ingress, '203.0.113.1')).status).toBe(201);
  });
});

describe('deliveries per day', () => {
  it('an app that has reached its devices is refused', async () => {
    const ingress = await limited({ callsPerMinute: 0, deliveriesPerDay: 10 });
    expect((await push(ingress)).status).toBe(200);
    expect(await ingress.store.quotas.takeDeliveries(ingress.app.id, 15, 10)).toMatchObject({ devices: 10 });
    expect(await push(ingress)).toMatchObject({ status: 400, body: errorBody(140, /devices/) });
  });

  it('one that goes out on another day is taken, and has that day to itself', async () => {
    const ingress = await limited({ callsPerMinute: 0, deliveriesPerDay: 10 });
    await ingress.store.quotas.takeDeliveries(ingress.app.id, 10, 10);
    const tomorrow = aPushRequest({ push_time: new Date(Date.now() + DAY_MS).toISOString() });
    expect((await push(ingress, tomorrow)).status).toBe(200);
    expect((await push(ingress)).status).toBe(400);
  });
});

describe('pushes that wait for their time', () => {
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const schedule = (ingress: Ingress, more = {}) => push(ingress, aPushRequest({ push_time: at(60), ...more }));

  it('ten of a developer may, and room comes back with a cancel', async () => {
    const ingress = await limited({ callsPerMinute: 0 }, { edition: 'developer' });
    for (let i = 0; i < 10; i += 1) expect((await schedule(ingress)).status).toBe(200);
    expect(await schedule(ingress)).toMatchObject({ status: 400, body: errorBody(154, /10 pushes/) });
    await ingress.asMaster('DELETE', '/1.1/scheduledPushMessages/3');
    expect((await schedule(ingress)).status).toBe(200);
  });

  it('a repeated req_id takes one place', async () => {
    const ingress = await limited({ callsPerMinute: 0 }, { edition: 'developer' });
    for (let i = 0; i < 15; i += 1) expect((await schedule(ingress, { req_id: 'same' })).status).toBe(200);
  });

  const toMany = (ingress: Ingress, idLength: number, { query = '', ...more }: Record<string, string> = {}) => {
    const ids = Array.from({ length: 500 }, (_, i) => String(i).padStart(idLength, 'x'));
    const body = aPushRequest({ push_time: at(60), installation_ids: ids, ...more });
    return ingress.asMaster('POST', `/1.1/push/installations${query}`, { body });
  };

  it('a large one takes several places, and is refused with their number when fewer are free', async () => {
    const ingress = await limited({ callsPerMinute: 0 }, { edition: 'developer' });
    const few = errorBody(154, /10 pushes may wait for their time; this one takes 8 places, one for every 65536 bytes/);
    for (let i = 0; i < 3; i += 1) expect((await schedule(ingress)).status).toBe(200);
    expect(await toMany(ingress, 500)).toMatchObject({ status: 400, body: few });
    expect(await toMany(ingress, 500, { query: '?preflight=1' })).toMatchObject({ status: 400, body: few });
    await ingress.asMaster('DELETE', '/1.1/scheduledPushMessages/2');
    expect((await toMany(ingress, 500)).status).toBe(200);
    const none = errorBody(154, /10 pushes may wait for their time; one of more than 65536 bytes takes several places/);
    expect(await schedule(ingress)).toMatchObject({ status: 400, body: none });
    const { body: list } = await ingress.asMaster('GET', '/1.1/scheduledPushMessages');
    expect((list as { results: { id: number }[] }).results.map(({ id }) => id)).toEqual([1, 3, 4]);
    await ingress.asMaster('DELETE', '/1.1/scheduledPushMessages/4');
    expect((await toMany(ingress, 500)).status).toBe(200);
  });

  it('a large one with a repeated req_id takes its places once', async () => {
    const ingress = await limited({ callsPerMinute: 0 }, { edition: 'developer' });
    for (let i = 0; i < 3; i += 1) expect((await toMany(ingress, 300, { req_id: 'same' })).status).toBe(200);
    expect(await ingress.store.schedule.count(ingress.app.id, Date.now())).toBe(5);
  });
});
