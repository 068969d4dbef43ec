import { anApp, unique } from '@pushfleet/testing';
import { acceptOne } from '../testing/a-push';
import { storeUnderTest } from '../testing/store-under-test';

const t = storeUnderTest();
const APP_KEY = { columns: [], channelPrefixes: [] };

/** The scripts read the clock of Redis. */
beforeAll(() => t.clock.set(Date.now()));

async function anAppWith(installations: number): Promise<string> {
  const app = anApp();
  await t.store.apps.create({ ...app, limits: { ...app.limits, installations } });
  return app.id;
}

/** A device of the own channel that whoever has the app key saves; resolves with its objectId. */
async function save(app: string, installationId: string, body: Readonly<Record<string, string>> = {}): Promise<string> {
  const saved = await t.store.installations.save({
    app,
    body: { deviceType: 'android', installationId, ...body },
    now: t.clock.now(),
    client: APP_KEY,
    address: '203.0.113.9',
  });
  return saved?.installation.objectId ?? '';
}

async function pushTo(app: string, installationIds: readonly string[]): Promise<string> {
  const expiresAt = t.clock.now() + 7 * 86_400_000;
  const pushId = await acceptOne(t, { app, expiresAt });
  await t.store.mailboxes.put({ push: { pushId, app, text: '{"alert":"hi"}', expiresAt }, installationIds, limit: 50 });
  return pushId;
}

const mailboxesOf = async (app: string, ids: readonly string[]): Promise<number> =>
  (await Promise.all(ids.map((id) => t.redis.exists(t.keys.mailbox(app, id))))).reduce((sum, is) => sum + is, 0);
const waiting = async (app: string, id: string): Promise<readonly string[]> =>
  (await t.store.mailboxes.held(app, id)).map(({ pushId }) => pushId);

it('invented installations that make room for others take their mailboxes with them', async () => {
  const app = await anAppWith(40);
  const invented: string[] = [];
  for (let round = 0; round < 8; round += 1) {
    const ids = Array.from({ length: 20 }, () => unique('invented'));
    const objectIds = await Promise.all(ids.map((id) => save(app, id)));
    const known = await t.store.installations.installationIds(app, objectIds);
    await pushTo(
      app,
      [...known.values()].filter((id) => id !== undefined),
    );
    invented.push(...ids);
  }
  const { installations } = await t.store.installations.room(app);
  expect(installations).toBeLessThan(80);
  expect(await mailboxesOf(app, invented)).toBeLessThanOrEqual(installations);
});

it('the mailbox of a removed installation goes, and others stay', async () => {
  const [gone, stays] = [unique('device'), unique('device')];
  const [objectId] = await Promise.all([gone, stays].map((id) => save(t.app, id)));
  const pushId = await pushTo(t.app, [gone, stays]);
  await t.store.installations.remove(t.app, objectId ?? '');
  expect(await waiting(t.app, gone)).toEqual([]);
  expect(await waiting(t.app, stays)).toEqual([pushId]);
});

it('a device that saves itself anew keeps what waits for it', async () => {
  const device = unique('device');
  const objectId = await save(t.app, device);
  const pushId = await pushTo(t.app, [device]);
  expect(await save(t.app, device, { city: 'Hangzhou' })).toBe(objectId);
  expect(await waiting(t.app, device)).toEqual([pushId]);
});

it('a device whose installation is imported anew, under another objectId, keeps what waits for it', async () => {
  const device = unique('device');
  await save(t.app, device);
  const pushId = await pushTo(t.app, [device]);
  const later = new Date(t.clock.now() + 60_000).toISOString();
  const doc = { deviceType: 'android', installationId: device, createdAt: later, updatedAt: later };
  const row = { objectId: unique('imported'), doc };
  expect(await t.store.installations.import(t.app, [row])).toEqual(['created']);
  expect(await t.store.installations.installationIds(t.app, [row.objectId])).toEqual(new Map([[row.objectId, device]]));
  expect(await waiting(t.app, device)).toEqual([pushId]);
});

it('an id of another kind that is spelled like an installationId takes no mailbox with it', async () => {
  const [victim, other] = [unique('device'), unique('device')];
  await save(t.app, victim);
  const pushId = await pushTo(t.app, [victim]);
  const objectId = await save(t.app, other, { vendor: 'HMS', registrationId: victim, deviceToken: victim });
  await t.store.installations.remove(t.app, objectId);
  expect(await waiting(t.app, victim)).toEqual([pushId]);
});
