import { anApp, fakeClock, SECRET_KEY, unique } from '@pushfleet/testing';
import { generateKey } from '../accounts/apps';
import type { Store } from '../open-store';
import { storeUnderTest } from '../testing/store-under-test';
import { openText, partsOf, sealingKey, sealText } from '../kit/sealed-text';
import { storeKeys } from '../store-keys';
import { SecretKeys } from './secret-box';

const t = storeUnderTest();
const key = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
const [OLD, NEW, WRONG] = [SECRET_KEY, key(8), key(9)];
const never = new AbortController().signal;

/** A fleet of its own, which nobody has started yet. */
function aFleet() {
  const namespace = unique(t.keys.namespace);
  const open = (secretKey: string, previousSecretKey?: string): Store =>
    t.open({ namespace, secretKey, previousSecretKey });
  const read = (name: string, field: string) => t.redis.hget(`${namespace}:${name}`, field);
  const write = (name: string, field: string, text: string) => t.redis.hset(`${namespace}:${name}`, field, text);
  return { namespace, open, read, write };
}

type Fleet = ReturnType<typeof aFleet>;

interface StoredApp {
  key: string;
  masterKey: string;
}

const storedApp = async ({ read }: Fleet, id: string) => JSON.parse((await read('apps', id)) ?? '') as StoredApp;

/** What is agreed on is at most a second old. */
const aSecondLater = (): void => t.clock.advance(1000);

async function resealed(store: Store): Promise<void> {
  await store.sealing.beginReseal();
  await store.sealing.reseal(never);
  aSecondLater();
}

async function fill(store: Store) {
  const until = t.clock.now() + 3_600_000;
  const app = { ...anApp(), replacedKeys: [{ which: 'masterKey', value: 'the-key-before', until } as const] };
  await store.apps.create(app);
  const ref = { app: app.id, channel: 'hms', profile: '_default' };
  await store.profiles.put(ref, { value: { appSecret: 's' }, receiptKey: 'k' });
  await store.tokens.write(`hms/${app.id}`, { value: 'access', expiresAt: t.clock.now() + 3_600_000 });
  const user = { user_id: unique('u'), name: 'n', avatar: '', gender: 0 as const, is_guest: false };
  await store.users.put(user);
  const token = { userId: user.user_id, clientId: 'client', macKey: 'mac-key-12', macAlgorithm: 'hmac-sha-1' } as const;
  const accessToken = generateKey();
  await store.macTokens.add({ ...token, accessToken, kid: `${accessToken}-kid` });
  const account = { userId: user.user_id, clientId: 'client', developerId: 'default', given: {} };
  return { app, ref, accessToken, account, ids: await store.accountIds.of(account) };
}

async function expectFilled(store: Store, filled: Awaited<ReturnType<typeof fill>>) {
  const { app, ref, accessToken, account, ids } = filled;
  expect(await store.apps.get(app.id)).toEqual(app);
  expect(await store.profiles.get(ref)).toEqual({ value: { appSecret: 's' }, receiptKey: 'k' });
  expect(await store.tokens.read(`hms/${app.id}`)).toMatchObject({ value: 'access' });
  for (const id of [accessToken, `${accessToken}-kid`])
    expect(await store.macTokens.find(id)).toMatchObject({ macKey: 'mac-key-12' });
  expect(await store.accountIds.of(account)).toEqual(ids);
}

describe('a sealed text in another place', () => {
  it('is refused: the master key of one app does not open another', async () => {
    const fleet = aFleet();
    const store = fleet.open(OLD);
    const [mine, victim] = [anApp(), anApp()];
    for (const app of [mine, victim]) await store.apps.create(app);
    const { masterKey } = await storedApp(fleet, mine.id);
    await fleet.write('apps', victim.id, JSON.stringify({ ...(await storedApp(fleet, victim.id)), masterKey }));
    await expect(fleet.open(OLD).apps.get(victim.id)).rejects.toThrow('sealed for another place');
  });

  it('is refused: an app key is no master key', async () => {
    const fleet = aFleet();
    const store = fleet.open(OLD);
    const app = anApp();
    await store.apps.create(app);
    const stored = await storedApp(fleet, app.id);
    await fleet.write('apps', app.id, JSON.stringify({ ...stored, masterKey: stored.key }));
    await expect(fleet.open(OLD).apps.get(app.id)).rejects.toThrow('sealed for another place');
  });

  it('is refused: credentials, vendors’ tokens and MAC keys stay where they are', async () => {
    const fleet = aFleet();
    const store = fleet.open(OLD);
    const one = await fill(store);
    const other = await fill(store);
    const { redis } = t;
    const profile = await redis.hget(`${fleet.namespace}:profiles:{${one.app.id}}`, 'hms/_default');
    await redis.hset(`${fleet.namespace}:profiles:{${other.app.id}}`, 'hms/_default', profile ?? '');
    await expect(store.profiles.get(other.ref)).rejects.toThrow('sealed for another place');
    const token = await redis.get(`${fleet.namespace}:token:{hms/${one.app.id}}`);
    await redis.set(`${fleet.namespace}:token:{hms/${other.app.id}}`, token ?? '');
    expect(await store.tokens.read(`hms/${other.app.id}`)).toBeUndefined();
  });

  it('is refused: a text of an earlier release, once every secret is bound to its place', async () => {
    const fleet = aFleet();
    const store = fleet.open(OLD);
    const app = anApp();
    await store.apps.create(app);
    const masterKey = sealText(sealingKey(OLD), { plain: 'stolen', context: undefined });
    await fleet.write('apps', app.id, JSON.stringify({ ...(await storedApp(fleet, app.id)), masterKey }));
    await expect(fleet.open(OLD).apps.get(app.id)).rejects.toThrow('not bound to its place');
  });
});

/** As the release before wrote it, with nothing agreed on. */
async function asBefore(fleet: Fleet, app = anApp()) {
  const { id, key: appKey, masterKey, ...settings } = app;
  const seal = (plain: string) => sealText(sealingKey(OLD), { plain, context: undefined });
  await fleet.write('apps', id, JSON.stringify({ settings, key: seal(appKey), masterKey: seal(masterKey) }));
  return app;
}

describe('a fleet of an earlier release', () => {
  it('is read as it is, and processes of both releases read what is written until all is sealed anew', async () => {
    const fleet = aFleet();
    const app = await asBefore(fleet);
    const store = fleet.open(OLD);
    expect(await store.apps.get(app.id)).toEqual(app);
    const added = anApp();
    await store.apps.create(added);
    const opened = openText(sealingKey(OLD), (await storedApp(fleet, added.id)).key, {
      ...{ kind: 'app-key', owner: 'whoever', field: '' },
    });
    expect(opened).toBe(added.key);
    expect(await store.sealing.status()).toMatchObject({ phase: 'old', stale: 4, unreadable: 0 });

    await resealed(store);
    expect(await store.sealing.status()).toMatchObject({
      ...{ phase: 'required', stale: 0, unreadable: 0, reseal: undefined, last: { rewritten: 4 } },
      counts: [{ kind: 'app-key', key: 'current', isBound: true, count: 4 }],
    });
    for (const known of [app, added]) expect(await fleet.open(OLD).apps.get(known.id)).toEqual(known);
    expect(partsOf((await storedApp(fleet, app.id)).masterKey).hasContext).toBe(true);
  });
});

describe('a rotation', () => {
  it('is read by processes of either key until all is sealed anew, and then needs the new key alone', async () => {
    const fleet = aFleet();
    const before = fleet.open(OLD);
    const filled = await fill(before);
    const rotating = fleet.open(NEW, OLD);
    await rotating.sealing.prove();
    const added = await fill(rotating);
    for (const store of [before, rotating]) for (const known of [filled, added]) await expectFilled(store, known);
    expect(await rotating.sealing.status()).toMatchObject({ stale: 15, unreadable: 0 });

    await resealed(rotating);
    const status = await rotating.sealing.status();
    expect(status).toMatchObject({ stale: 0, unreadable: 0, last: { rewritten: 15 } });
    expect(status.counts.every((count) => count.key === 'current')).toBe(true);
    const after = fleet.open(NEW);
    for (const known of [filled, added]) await expectFilled(after, known);
    await expect(fleet.open(OLD).sealing.prove()).rejects.toThrow('SECRET_KEY: opens nothing of this fleet');
    await expect(before.sealing.prove()).rejects.toThrow('SECRET_KEY: opens nothing of this fleet');
  });

  it('goes on where it was cut off, with another process', async () => {
    const fleet = aFleet();
    const filled = await Promise.all(Array.from({ length: 30 }, () => fill(fleet.open(OLD))));
    const first = fleet.open(NEW, OLD);
    await first.sealing.beginReseal();
    const stopping = new AbortController();
    const halfway = setTimeout(() => stopping.abort(), 2005);
    await first.sealing.reseal(stopping.signal);
    clearTimeout(halfway);
    const second = fleet.open(NEW, OLD);
    expect(await second.sealing.mustReseal()).toBe(stopping.signal.aborted);
    await second.sealing.reseal(never);
    expect(await second.sealing.mustReseal()).toBe(false);
    expect(await second.sealing.status()).toMatchObject({ stale: 0, phase: 'required' });
    for (const known of filled) await expectFilled(fleet.open(NEW), known);
  });

  it('is not set back by a process that agreed just before it began', async () => {
    const fleet = aFleet();
    await asBefore(fleet);
    const rotating = fleet.open(NEW, OLD);
    const keys = storeKeys(fleet.namespace);
    const late = new SecretKeys({ redis: t.redis, keys, current: NEW, previous: OLD, now: t.clock.now });
    await rotating.sealing.beginReseal();
    await late.state.addSentinel(late.current.id, late.sentinel('old'));
    expect(await rotating.sealing.progress()).toMatchObject({ phase: 'both' });
    await rotating.sealing.reseal(never);
    expect(await rotating.sealing.status()).toMatchObject({ phase: 'required', stale: 0, reseal: undefined });
  });

  it('is followed by a process whose clock was set back since it last looked', async () => {
    const fleet = aFleet();
    const clock = fakeClock();
    const { namespace } = fleet;
    const before = t.open({ namespace, secretKey: OLD, previousSecretKey: NEW, now: clock.now });
    await fill(before);
    await resealed(fleet.open(NEW, OLD));
    clock.advance(-3_600_000);
    const app = anApp();
    await before.apps.create(app);
    expect(await fleet.open(NEW).apps.get(app.id)).toEqual(app);
  });

  it('ends although a secret was altered, and tells of it', async () => {
    const fleet = aFleet();
    const before = fleet.open(OLD);
    const { app } = await fill(before);
    const [name, field] = [`profiles:{${app.id}}`, 'hms/_default'];
    const sealed = (await fleet.read(name, field)) ?? '';
    await fleet.write(name, field, `${sealed.slice(0, -4)}${sealed.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`);
    const rotating = fleet.open(NEW, OLD);
    expect(await rotating.sealing.status()).toMatchObject({ stale: 7, unreadable: 1 });
    await resealed(rotating);
    expect(await rotating.sealing.status()).toMatchObject({
      ...{ phase: 'required', stale: 0, unreadable: 1 },
      last: { rewritten: 7, unreadable: 1 },
    });
  });

  it.each(['no JSON', '5', '{}'])(
    'ends although the record of a MAC token is damaged, and tells which: %s',
    async (text) => {
      const fleet = aFleet();
      const before = fleet.open(OLD);
      const { ref } = await fill(before);
      const damaged = `${fleet.namespace}:mac:{damaged}`;
      await t.redis.set(damaged, text);
      const rotating = fleet.open(NEW, OLD);
      expect(await rotating.sealing.status()).toMatchObject({ unreadable: 0, unreadableMacTokens: [damaged] });
      await resealed(rotating);
      expect(await rotating.sealing.status()).toMatchObject({ phase: 'required', stale: 0, unreadable: 0 });
      expect(await fleet.open(NEW).profiles.get(ref)).toBeDefined();
      expect(await t.redis.get(damaged)).toBe(text);
    },
  );

  it('undoes no change that is made meanwhile', async () => {
    const fleet = aFleet();
    const store = fleet.open(OLD);
    const apps = await Promise.all(
      Array.from({ length: 200 }, async () => {
        const app = anApp();
        await store.apps.create(app);
        return app;
      }),
    );
    const rotating = fleet.open(NEW, OLD);
    const done = resealed(rotating);
    const changer = fleet.open(OLD, NEW);
    let isDone = false;
    void done.finally(() => (isDone = true));
    const names = new Map<string, string>();
    while (!isDone) {
      const { id } = apps[names.size % apps.length] ?? anApp();
      const name = unique('name');
      const changed = await changer.apps.update(id, (app) => ({ ...app, name, masterKey: name }));
      if (changed) names.set(id, name);
      aSecondLater();
    }
    await done;
    await resealed(rotating);
    const after = fleet.open(NEW);
    for (const app of apps) {
      const name = names.get(app.id);
      expect(await after.apps.get(app.id)).toEqual(name === undefined ? app : { ...app, name, masterKey: name });
    }
  });

  it('takes a vendor’s token that it cannot read for one that is not there', async () => {
    const fleet = aFleet();
    const store = fleet.open(OLD);
    const { app } = await fill(store);
    const sealed = sealText(sealingKey(WRONG), { plain: '{}', context: undefined });
    await t.redis.set(`${fleet.namespace}:token:{hms/${app.id}}`, sealed);
    expect(await store.tokens.read(`hms/${app.id}`)).toBeUndefined();
    await store.tokens.write(`hms/${app.id}`, { value: 'fetched', expiresAt: t.clock.now() + 1000 });
    expect(await store.tokens.read(`hms/${app.id}`)).toMatchObject({ value: 'fetched' });
  });
});

describe('a wrong key', () => {
  it('is refused at once where something is sealed', async () => {
    const fleet = aFleet();
    await fill(fleet.open(OLD));
    for (const wrong of [fleet.open(WRONG), fleet.open(WRONG, NEW)])
      await expect(wrong.sealing.prove()).rejects.toMatchObject({
        name: 'WrongSecretKey',
        lines: [expect.any(String)],
      });
  });

  it('is refused where what is sealed is of an earlier release', async () => {
    const fleet = aFleet();
    await asBefore(fleet);
    await expect(fleet.open(WRONG).sealing.prove()).rejects.toThrow('SECRET_KEY: opens nothing');
    await expect(fleet.open(OLD).sealing.prove()).resolves.toBeUndefined();
  });

  it('that comes first, where nothing is sealed yet, locks nobody out, and is the wrong one from the first secret on', async () => {
    const fleet = aFleet();
    const wrong = fleet.open(WRONG);
    await wrong.sealing.prove();
    const right = fleet.open(OLD);
    await right.sealing.prove();
    const filled = await fill(right);
    aSecondLater();
    await expect(wrong.sealing.prove()).rejects.toThrow('SECRET_KEY: opens nothing');
    await expect(wrong.apps.create(anApp())).rejects.toThrow('SECRET_KEY: opens nothing');
    await expectFilled(right, filled);
  });

  it('seals nothing beside the right one, however both hurry', async () => {
    const fleet = aFleet();
    const stores = [OLD, WRONG].map((secret) => fleet.open(secret));
    const apps = await Promise.allSettled(
      stores.map(async (store) => {
        const app = anApp();
        await store.apps.create(app);
        return app;
      }),
    );
    aSecondLater();
    const proven = await Promise.allSettled(stores.map((store) => store.sealing.prove()));
    expect(proven.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(apps.map(({ status }) => status)).toEqual(proven.map(({ status }) => status));
  });

  it('does not pass for the right one because it stands beside it', async () => {
    const fleet = aFleet();
    const filled = await fill(fleet.open(OLD));
    const beside = fleet.open(WRONG, OLD);
    await expectFilled(beside, filled);
    await resealed(fleet.open(NEW, OLD));
    await expect(beside.sealing.prove()).rejects.toThrow('SECRET_KEY: opens nothing');
  });
});

describe('what Redis says of a reseal', () => {
  it.each([
    ['reseal', 'no JSON'],
    ['reseal', '{}'],
    ['last', '5'],
  ])(
    'is told as damaged where %s is %j, keeps nobody from the secrets, and goes with the next reseal',
    async (field, text) => {
      const fleet = aFleet();
      const store = fleet.open(OLD);
      const filled = await fill(store);
      await fleet.write('sealing', field, text);
      aSecondLater();
      expect(await store.sealing.status()).toMatchObject({ damaged: [field], [field]: undefined });
      await expectFilled(store, filled);
      await resealed(store);
      expect((await store.sealing.status()).damaged).toEqual([]);
    },
  );
});
