import { keysOf, type AppSettings } from '@pushfleet/domain';
import { anApp } from '@pushfleet/testing';
import { generateKey } from './apps';
import { storeUnderTest } from '../testing/store-under-test';

const t = storeUnderTest();
const OTHER_KEY = Buffer.alloc(32, 9).toString('base64');

it('an app is created once, with the ids and keys that it brings', async () => {
  const app = anApp();
  expect(await t.store.apps.create(app)).toBe(true);
  expect(await t.store.apps.create({ ...app, key: 'other' })).toBe(false);
  expect(await t.store.apps.get(app.id)).toEqual(app);
  expect(await t.store.apps.get('unknown')).toBeUndefined();
});

it('a list of apps shows no keys, and needs none to be opened', async () => {
  const { key, masterKey, ...app } = anApp();
  await t.store.apps.create({ ...app, key, masterKey });
  expect(await t.open({ secretKey: OTHER_KEY }).apps.list()).toContainEqual(app);
  const listed = (await t.store.apps.list()).find(({ id }) => id === app.id);
  expect(listed).toEqual(app);
});

it('settings are known without a secret key, and nothing else is', async () => {
  const { key, masterKey, ...app } = anApp();
  await t.store.apps.create({ ...app, key, masterKey });
  const keyless = t.open({ secretKey: undefined });
  expect(await keyless.apps.settings(app.id)).toEqual(app);
  expect(await keyless.apps.settings('unknown')).toBeUndefined();
  await expect(keyless.apps.get(app.id)).rejects.toThrow('no SECRET_KEY');
});

it('changes at the same time do not undo each other, and each is answered with what it made', async () => {
  const app = anApp();
  await t.store.apps.create(app);
  const changes = [{ hybrid: !app.hybrid }, { name: 'New' }, { key: 'new-key' }, { masterKey: 'new-master-key' }];
  const answers = await Promise.all(
    changes.map((change) => t.open().apps.update(app.id, (stored) => ({ ...stored, ...change }))),
  );
  changes.forEach((change, i) => expect(answers[i]).toMatchObject(change));
  expect(await t.store.apps.get(app.id)).toEqual(Object.assign({}, app, ...changes));
});

it('an app that was stored before there was a setting has its default', async () => {
  const app = anApp({ clientPush: false });
  await t.store.apps.create(app);
  const key = t.keys.apps();
  const { settings, ...sealed } = JSON.parse((await t.redis.hget(key, app.id)) ?? '') as { settings: object };
  const { pushQueries: _, ...earlier } = settings as AppSettings;
  await t.redis.hset(key, app.id, JSON.stringify({ ...sealed, settings: earlier }));
  expect(await t.store.apps.get(app.id)).toEqual({ ...app, pushQueries: false });
  expect(await t.store.apps.list()).toContainEqual(expect.objectContaining({ id: app.id, pushQueries: false }));
});

it('an app that a later version has stored can be read, without what it says beyond this one', async () => {
  const app = anApp();
  await t.store.apps.create(app);
  const key = t.keys.apps();
  const { settings, ...sealed } = JSON.parse((await t.redis.hget(key, app.id)) ?? '') as { settings: AppSettings };
  const later = { ...settings, tomorrow: true, limits: { ...settings.limits, tomorrow: 1 } };
  await t.redis.hset(key, app.id, JSON.stringify({ ...sealed, settings: later }));
  expect(await t.store.apps.get(app.id)).toEqual(app);
});

it('an app that was removed cannot be changed back into being', async () => {
  const [app, another] = [anApp(), anApp()];
  for (const each of [app, another]) await t.store.apps.create(each);
  // The server knows the script of a removal from here on: it takes one command, which is ahead of the change.
  await t.store.apps.remove(another.id);
  let removed: Promise<boolean> | undefined;
  const late = t.store.apps.update(app.id, (stored) => {
    removed ??= t.store.apps.remove(app.id);
    return { ...stored, name: 'New' };
  });
  expect(await late).toBeUndefined();
  expect(await removed).toBe(true);
  expect(await t.store.apps.remove(app.id)).toBe(false);
  expect(await t.store.apps.update(app.id, (stored) => stored)).toBeUndefined();
  expect(await t.store.apps.get(app.id)).toBeUndefined();
});

it('a cached app is at most a second old, and not old at all for the process that changed it', async () => {
  const { id, ...app } = anApp();
  await t.store.apps.create({ id, ...app });
  const other = t.open();
  await other.apps.getCached(id);
  await t.store.apps.getCached(id);
  await t.store.apps.update(id, (stored) => ({ ...stored, name: 'New' }));
  expect(await t.store.apps.getCached(id)).toMatchObject({ name: 'New' });
  expect(await other.apps.getCached(id)).toMatchObject({ name: app.name });
  t.clock.advance(1000);
  expect(await other.apps.getCached(id)).toMatchObject({ name: 'New' });
});

it('generated keys are 24 letters and digits', () => {
  for (let i = 0; i < 50; i += 1) expect(generateKey()).toMatch(/^[0-9A-Za-z]{24}$/);
});

it('a key that was replaced is sealed like the others, and nobody gets it after its time, whatever was remembered', async () => {
  const app = anApp();
  await t.store.apps.create(app);
  const until = t.clock.now() + 500;
  const replacedKeys = [{ which: 'masterKey', value: app.masterKey, until }] as const;
  const rotated = { ...app, masterKey: generateKey(), replacedKeys };
  expect(await t.store.apps.update(app.id, () => rotated)).toEqual(rotated);
  const reader = t.open();
  expect(await reader.apps.getCached(app.id)).toEqual(rotated);
  expect(await t.redis.hget(t.keys.apps(), app.id)).not.toContain(app.masterKey);
  t.clock.advance(500);
  expect(keysOf((await reader.apps.getCached(app.id)) ?? app, 'masterKey', t.clock.now())).toEqual([rotated.masterKey]);
  expect(await reader.apps.get(app.id)).toEqual({ ...app, masterKey: rotated.masterKey });
  // The next change leaves nothing of it in Redis.
  await t.store.apps.update(app.id, (stored) => ({ ...stored, name: 'Renamed' }));
  expect(await t.redis.hget(t.keys.apps(), app.id)).not.toContain('replacedKeys');
});
