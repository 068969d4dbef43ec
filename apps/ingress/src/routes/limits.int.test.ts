import { DEFAULT_APP_SETTINGS, type AppSettings } from '@pushfleet/domain';
import { aPushRequest, redisHarness } from '@pushfleet/testing';
import { errorBody, openIngress, type Ingress } from '../testing/ingress-harness';

const harness = redisHarness();

/** An ingress whose app has these limits. */
async function limited(limits: Partial<AppSettings['limits']>, more: Partial<AppSettings> = {}): Promise<Ingress> {
  const ingress = await openIngress(harness);
  const all = { ...DEFAULT_APP_SETTINGS.limits, ...limits };
  await ingress.store.apps.update(ingress.app.id, (app) => ({ ...app, ...more, limits: all }));
  return ingress;
}

const push = (ingress: Ingress, body = aPushRequest()) => ingress.call('POST', '/1.1/push', { body });

describe('calls per minute', () => {
  it('one too many closes the app for the minute that follows, and says for how long', async () => {
    const ingress = await limited({ callsPerMinute: 3 });
    const statuses = [];
    for (let i = 0; i < 5; i += 1) statuses.push((await push(ingress)).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    const refused = await push(ingress);
    expect(refused).toMatchObject({ status: 429, body: errorBody(429, /Too many/) });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  });

  it('a batch is one call however much it pushes, and devices may still register', async () => {
    const ingress = await limited({ callsPerMinute: 1 });
    const requests = Array.from({ length: 5 }, () => ({ method: 'POST', path: '/1.1/push', body: aPushRequest() }));
    const batch = () => ingress.call('POST', '/1.1/batch', { body: { requests } });
    expect((await batch()).body).toEqual(requests.map(() => ({ success: expect.anything() })));
    expect((await batch()).status).toBe(429);
    expect((await ingress.call('POST', '/1.1/installations', { body: {} })).status).toBe(201);
  });

  it('many at once get what is left and no more', async () => {
    const ingress = await limited({ callsPerMinute: 20 });
    const replies = await Promise.all(Array.from({ length: 50 }, () => push(ingress)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(20);
  });

  it('other processes count along', async () => {
    const ingress = await limited({ callsPerMinute: 2 });
    const { id } = ingress.app;
    await ingress.store.quotas.takeCalls(id, 2, 2);
    expect((await push(ingress)).status).toBe(429);
  });
});

describe('deliveries per day', () => {
  it('an app that has reached its devices is refused', async () => {
    const ingress = await limited({ callsPerMinute: 0, deliveriesPerDay: 10 });
    expect((await push(ingress)).status).toBe(200);
    expect(await ingress.store.quotas.takeDeliveries(ingress.app.id, 15, 10)).toBe(10);
    expect(await push(ingress)).toMatchObject({ status: 400, body: errorBody(140, /devices/) });
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
});
