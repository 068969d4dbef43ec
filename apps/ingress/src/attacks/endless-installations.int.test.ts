import { anApp, anInstallation, redisHarness, unique } from '@pushfleet/testing';
import { errorBody, fieldsOf, openIngress, type Ingress, type Reply } from '../testing/ingress-harness';

const harness = redisHarness();
const PATH = '/1.1/installations';
const CEILING = 40;
const FLOOD = '203.0.113.7';
let ingress: Ingress;

beforeAll(async () => {
  ingress = await openIngress(harness, { env: { TRUSTED_PROXY_HOPS: '1' } });
});

/** Another app than the harness's, with its ceiling, and devices that save themselves from some address. */
async function anAppWithCeiling() {
  const app = anApp();
  const limits = { ...app.limits, installations: CEILING, savesPerSecond: 0 };
  await ingress.store.apps.create({ ...app, limits });
  const save = (body: object, address: string): Promise<Reply> =>
    ingress.call('POST', PATH, {
      body,
      headers: { 'x-lc-id': app.id, 'x-lc-key': app.key, 'x-forwarded-for': address },
    });
  const flood = async (rounds: number): Promise<readonly Reply[]> => {
    const replies: Reply[] = [];
    for (let round = 0; round < rounds; round += 1)
      replies.push(...(await Promise.all(Array.from({ length: 5 }, () => save(anInstallation(), FLOOD)))));
    return replies;
  };
  return { id: app.id, save, flood };
}

async function confirm(app: string, objectIds: readonly string[]): Promise<void> {
  const { confirmations } = ingress.store;
  confirmations.note(app, 'objectId', objectIds);
  await confirmations.flush();
}

const countOf = (app: string): Promise<number> => ingress.store.installations.count(app);

describe('whoever has an app key and makes installations without end', () => {
  it('fills neither Redis nor the app: its devices stay and save, a new one gets in, and another app notices nothing', async () => {
    const app = await anAppWithCeiling();
    const devices = Array.from({ length: 10 }, () => anInstallation());
    const ids: string[] = [];
    for (const body of devices) ids.push(fieldsOf(await app.save(body, '198.51.100.1'))['objectId'] ?? '');
    await confirm(app.id, ids);

    await app.flood(20);
    const fresh = anInstallation();
    const created = await app.save(fresh, '192.0.2.9');
    expect(created.status).toBe(201);
    const [others] = await Promise.all([
      Promise.all(devices.map(() => ingress.call('POST', PATH, { body: anInstallation() }))),
      app.flood(10),
    ]);
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set([201]));

    for (const [i, body] of devices.entries()) {
      const reply = await app.save({ ...body, registrationId: unique('r') }, '198.51.100.1');
      expect(reply).toMatchObject({ status: 201, body: { objectId: ids[i] } });
    }
    const again = await app.save({ ...fresh, city: 'Oslo' }, '192.0.2.9');
    expect(fieldsOf(again)['objectId']).toBe(fieldsOf(created)['objectId']);
    // Those under way may pass the ceiling.
    expect(await countOf(app.id)).toBeLessThanOrEqual(CEILING + 5);
  });

  it('is told which limit is reached once nobody is left to make room', async () => {
    const app = await anAppWithCeiling();
    const saved: string[] = [];
    for (let i = 0; i < CEILING; i += 1)
      saved.push(fieldsOf(await app.save(anInstallation(), '198.51.100.1'))['objectId'] ?? '');
    await confirm(app.id, saved);
    for (const reply of await app.flood(2)) {
      expect(reply).toMatchObject({ status: 429, body: errorBody(429, /^limits\.installations: .* at most 40 /) });
      expect(reply.headers.get('retry-after')).toBe('60');
    }
    expect(await countOf(app.id)).toBe(CEILING);
  });
});
