import type { JsonObject } from '@pushfleet/domain';
import { anInstallation, countCommands, unique } from '@pushfleet/testing';
import { storeUnderTest } from '../testing/store-under-test';
import type { Saved } from './save';

const t = storeUnderTest();

const save = (body: JsonObject, objectId?: string): Promise<Saved | undefined> =>
  t.store.installations.save({ app: t.app, body, objectId, now: t.clock.now() });
async function saved(body: JsonObject, objectId?: string): Promise<string> {
  const answer = await save(body, objectId);
  if (!answer) throw new Error('not saved');
  return answer.installation.objectId;
}
const get = (objectId: string) => t.store.installations.get(t.app, objectId);
const bucketOf = async (objectId: string): Promise<string | undefined> => {
  const [found] = await t.store.installations.addressed(t.app, { field: 'objectId', values: [objectId] });
  return found?.bucket;
};

describe('a first save', () => {
  it('makes an installation that reads back as it was sent', async () => {
    const body = anInstallation({ channels: ['news'], custom: { deep: [1, null, '中'] } });
    const answer = await save(body);
    expect(answer?.isNew).toBe(true);
    expect(answer?.installation.objectId).toMatch(/^[0-9A-Za-z]{32}$/);
    const stamp = new Date(t.clock.now()).toISOString();
    expect(await get(answer?.installation.objectId ?? '')).toEqual({
      ...body,
      objectId: answer?.installation.objectId,
      createdAt: stamp,
      updatedAt: stamp,
    });
  });

  it('twice at the same time makes one installation', async () => {
    const body = anInstallation();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        t.open().installations.save({ app: t.app, body: { ...body, [`f${i}`]: i }, now: t.clock.now() }),
      ),
    );
    const ids = new Set(answers.map((answer) => answer?.installation.objectId));
    expect(ids.size).toBe(1);
    expect(answers.filter((answer) => answer?.isNew)).toHaveLength(1);
    const [objectId = ''] = ids;
    const doc = await get(objectId);
    for (let i = 0; i < 10; i += 1) expect(doc).toHaveProperty(`f${i}`, i);
  });

  it('without any id makes an installation each time', async () => {
    expect(await saved({ deviceType: 'web' })).not.toBe(await saved({ deviceType: 'web' }));
  });

  it('that is refused leaves nothing behind', async () => {
    const body = anInstallation({ channels: ['not a name'] });
    await expect(save(body)).rejects.toMatchObject({ problem: 'channel-name' });
    const where = { installationId: body['installationId'] ?? null };
    expect(await t.store.installations.find({ app: t.app, where, limit: 1, skip: 0, count: false })).toEqual({
      results: [],
    });
  });

  it('over 64 KiB is refused', async () => {
    await expect(save(anInstallation({ big: 'x'.repeat(65_536) }))).rejects.toMatchObject({ problem: 'too-large' });
  });
});

describe('a later save', () => {
  it('with a known installationId changes the installation it names', async () => {
    const body = anInstallation({ channels: ['news'] });
    const objectId = await saved(body);
    t.clock.advance(1000);
    const answer = await save({ installationId: body['installationId'] ?? null, city: 'Berlin' });
    expect(answer).toMatchObject({ isNew: false, installation: { ...body, objectId, city: 'Berlin' } });
    expect(answer?.installation.createdAt).not.toBe(answer?.installation.updatedAt);
  });

  it('by objectId changes that installation', async () => {
    const objectId = await saved(anInstallation());
    expect(await saved({ city: 'Paris' }, objectId)).toBe(objectId);
    expect(await get(objectId)).toMatchObject({ city: 'Paris' });
  });

  it('with an unknown objectId is an upsert when an installationId names the device', async () => {
    const body = anInstallation();
    const first = await save(body, 'unknown');
    expect(first?.isNew).toBe(true);
    expect(first?.installation.objectId).not.toBe('unknown');
    expect((await save(body, 'unknown'))?.installation.objectId).toBe(first?.installation.objectId);
  });

  it('that takes the installationId of another record goes to that one: a name has one record', async () => {
    const mine = await saved(anInstallation({ city: 'Rome' }));
    const body = anInstallation();
    const other = await saved(body);
    const answer = await save({ installationId: body['installationId'] ?? null, city: 'Oslo' }, mine);
    expect(answer?.installation).toMatchObject({ ...body, objectId: other, city: 'Oslo' });
    expect(await get(mine)).toMatchObject({ city: 'Rome' });
    const where = { installationId: body['installationId'] ?? null };
    const { results } = await t.store.installations.find({ app: t.app, where, limit: 9, skip: 0, count: false });
    expect(results.map(({ objectId }) => objectId)).toEqual([other]);
  });

  it('that brings an installationId which nobody has makes that device, and leaves the addressed record alone', async () => {
    const mine = await saved(anInstallation({ city: 'Rome' }));
    const before = await get(mine);
    const body = anInstallation({ city: 'Oslo' });
    const other = await saved(body, mine);
    expect(other).not.toBe(mine);
    expect([await get(mine), await get(other)]).toEqual([before, expect.objectContaining(body)]);
  });

  it('that brings an installationId to a record without one names it', async () => {
    const mine = await saved(anInstallation({ installationId: undefined }));
    const { installationId } = anInstallation();
    expect(await saved({ installationId: installationId ?? null }, mine)).toBe(mine);
    expect(await saved({ installationId: installationId ?? null })).toBe(mine);
  });

  it('shows a device as valid until somebody says that it is not', async () => {
    const objectId = await saved(anInstallation());
    expect(await get(objectId)).toMatchObject({ valid: true });
    await save({ valid: false }, objectId);
    expect(await get(objectId)).toMatchObject({ valid: false });
  });

  it('with an unknown objectId and nothing else is unknown', async () => {
    expect(await save({ city: 'Rome' }, 'unknown')).toBeUndefined();
  });

  it('many at the same time lose no operation', async () => {
    const objectId = await saved(anInstallation());
    const increments = Array.from({ length: 8 }, () => save({ n: { __op: 'Increment' } }, objectId));
    await Promise.all(increments);
    expect(await get(objectId)).toMatchObject({ n: 8 });
  });

  it('that hundreds make of one installation at once loses none of them', async () => {
    const objectId = await saved(anInstallation());
    const channels = Array.from({ length: 256 }, (_, i) => `many-${i}`);
    const writers = Array.from({ length: 8 }, () => t.open().installations);
    await Promise.all(
      channels.map((channel, i) => {
        const body: JsonObject = { channels: { __op: 'AddUnique', objects: [channel] } };
        return writers[i % 8]?.save({ app: t.app, body, objectId, now: t.clock.now() });
      }),
    );
    expect((await get(objectId))?.channels).toEqual(expect.arrayContaining(channels));
  });

  it('at the same time in the same millisecond leaves a device under one address', async () => {
    const objectId = await saved(anInstallation());
    const ids = Array.from({ length: 8 }, () => unique('r'));
    await Promise.all(ids.map((registrationId) => save({ registrationId }, objectId)));
    const held = await t.store.installations.addresses(t.app, 'hms/_default', [objectId]);
    expect(held.get(objectId)).toBe((await get(objectId))?.['registrationId']);
    const page = await t.store.installations
      .walk({ app: t.app, bucket: 'hms/_default', from: { shard: 0, objectId: '' }, toShard: 256, pageSize: 1000 })
      .next();
    expect(page.devices.filter((device) => device.objectId === objectId)).toHaveLength(1);
  });

  it('with as many channels as there may be does not stand in the way of others', async () => {
    const channels = Array.from({ length: 1000 }, (_, i) => `c${i}`);
    const objectId = await saved(anInstallation({ channels }));
    const commands = await countCommands(t.redis, t.keys.namespace);
    const next = channels.map((name) => `d${name}`).slice(0, 800);
    const sent = await commands.during(() => save({ channels: next }, objectId));
    commands.close();
    // One short script for each shard of their index, and none for each of the channels.
    expect(sent.length).toBeLessThan(256 + 20);
    const [size] = (await t.store.installations.sizes(t.app, 'hms/_default', ['dc1'])).filter((n) => n > 0);
    expect(size).toBe(1);
    expect((await t.store.installations.sizes(t.app, 'hms/_default', ['c1'])).every((n) => n === 0)).toBe(true);
  });
});

describe('a registrationId', () => {
  it('that moves to another installation leaves the old one', async () => {
    const registrationId = unique('r');
    const old = await saved(anInstallation({ registrationId }));
    const next = await saved(anInstallation({ registrationId }));
    expect(await get(old)).not.toHaveProperty('registrationId');
    expect(await bucketOf(old)).toBe('unregistered');
    expect(await get(next)).toHaveProperty('registrationId', registrationId);
    const owners = await t.store.installations.addressed(t.app, { field: 'registrationId', values: [registrationId] });
    expect(owners.map(({ installation }) => installation.objectId)).toEqual([next]);
  });

  it('that several installations save at once ends with one of them', async () => {
    for (let round = 0; round < 10; round += 1) {
      const registrationId = unique('r');
      const ids = await Promise.all(Array.from({ length: 4 }, () => saved(anInstallation({ registrationId }))));
      const docs = await Promise.all(ids.map(get));
      const owners = docs.filter((doc) => doc?.['registrationId'] === registrationId);
      expect(owners).toHaveLength(1);
      const found = await t.store.installations.addressed(t.app, { field: 'registrationId', values: [registrationId] });
      expect(found.map(({ installation }) => installation.objectId)).toEqual([owners[0]?.objectId]);
    }
  });

  it('that very many processes save at once ends with one of them, and refuses nobody', async () => {
    const registrationId = unique('r');
    const saves = Array.from({ length: 24 }, () =>
      t.open().installations.save({ app: t.app, body: anInstallation({ registrationId }), now: t.clock.now() }),
    );
    const ids = (await Promise.all(saves)).map((answer) => answer?.installation.objectId ?? '');
    const owners = (await Promise.all(ids.map(get))).filter((doc) => doc?.['registrationId'] === registrationId);
    expect(owners).toHaveLength(1);
  });

  it('that a device gave up can be taken by another without touching it', async () => {
    const [first, second] = [unique('r'), unique('r')];
    const device = await saved(anInstallation({ registrationId: first }));
    await save({ registrationId: second }, device);
    const other = await saved(anInstallation({ registrationId: first }));
    expect(await get(device)).toHaveProperty('registrationId', second);
    expect(await get(other)).toHaveProperty('registrationId', first);
  });
});

describe('retiring', () => {
  it('takes the device out of its bucket and keeps the installation', async () => {
    const body = anInstallation();
    const objectId = await saved(body);
    const dead = { objectId, registrationId: String(body['registrationId']) };
    expect(await t.store.installations.retire(t.app, dead)).toBe(true);
    expect(await bucketOf(objectId)).toBe('retired:hms');
    expect(await get(objectId)).toMatchObject({ ...body, valid: false });
    expect(await t.store.installations.retire(t.app, dead)).toBe(false);
  });

  it('says `valid: false` of it, and whoever gives that back with a new registrationId is valid again', async () => {
    const body = anInstallation();
    const objectId = await saved(body);
    await t.store.installations.retire(t.app, { objectId, registrationId: String(body['registrationId']) });
    const shown = (await get(objectId)) as unknown as Record<string, never>;
    await saved({ ...shown, registrationId: 'another' } as never);
    expect(await get(objectId)).toMatchObject({ valid: true, registrationId: 'another' });
    expect(await bucketOf(objectId)).toBe('hms/_default');
  });

  it('by words that may pass takes several days, and is over when the device saves itself', async () => {
    const body = anInstallation();
    const objectId = await saved(body);
    const dead = { objectId, registrationId: String(body['registrationId']) };
    const strike = (day: number): Promise<boolean> =>
      t.store.installations.strike(t.app, { ...dead, now: Date.UTC(2026, 0, day) });
    for (const day of [1, 1, 1, 1, 1, 2, 3, 4]) expect(await strike(day)).toBe(false);
    expect([await bucketOf(objectId), (await get(objectId))?.valid]).toEqual(['hms/_default', true]);
    expect(await strike(5)).toBe(true);
    expect([await bucketOf(objectId), (await get(objectId))?.valid]).toEqual(['retired:hms', false]);
    await saved(body);
    expect([await bucketOf(objectId), (await get(objectId))?.valid]).toEqual(['hms/_default', true]);
    expect(await strike(6)).toBe(false);
  });

  it('does nothing when the device has another registrationId by now', async () => {
    const objectId = await saved(anInstallation());
    expect(await t.store.installations.retire(t.app, { objectId, registrationId: 'older' })).toBe(false);
    expect(await t.store.installations.retire(t.app, { objectId: 'unknown', registrationId: 'x' })).toBe(false);
    expect(await bucketOf(objectId)).toBe('hms/_default');
  });

  it.each([
    ['its vendor, to its profile', true, { channel: 'hms', profile: 'game' }],
    ['its vendor, to a profile that nobody knows any more', true, { channel: 'hms' }],
    ['its vendor, to another profile', false, { channel: 'hms', profile: '_default' }],
    ['another vendor', false, { channel: 'mi', profile: 'game' }],
  ])('depends on whom the word is of: %s: %s', async (_, isIts, from) => {
    for (const isNamed of [true, false]) {
      // While no profile has the name, its devices stand in a bucket with others.
      const body = anInstallation({ deviceProfile: 'game' });
      const [objectId, registrationId] = [await saved(body), String(body['registrationId'])];
      const dead = { objectId: isNamed ? registrationId : objectId, registrationId, from };
      const strike = (day: number): Promise<boolean> =>
        t.store.installations.strike(t.app, { ...dead, now: Date.UTC(2026, 0, day) });
      for (const day of [1, 2, 3, 4]) expect(await strike(day)).toBe(false);
      expect(await strike(5)).toBe(isIts);
      await saved(body);
      expect(await bucketOf(objectId)).toBe('hms/*');
      expect(await t.store.installations.retire(t.app, dead)).toBe(isIts);
      expect(await bucketOf(objectId)).toBe(isIts ? 'retired:hms' : 'hms/*');
    }
  });

  it('does nothing for an old word, when the device is with another vendor or profile by now', async () => {
    const body = anInstallation();
    const [objectId, registrationId] = [await saved(body), String(body['registrationId'])];
    const dead = { objectId, registrationId, from: { channel: 'hms', profile: '_default' } };
    const changes: readonly JsonObject[] = [
      { vendor: 'mi' },
      { vendor: 'HMS', deviceProfile: 'game' },
      { vendor: 'lc' },
    ];
    for (const change of changes) {
      await save(change, objectId);
      expect(await t.store.installations.retire(t.app, dead)).toBe(false);
    }
  });

  it('is remembered when the same dead id is saved again, and over when the device brings a new one', async () => {
    const body = anInstallation();
    const objectId = await saved(body);
    await t.store.installations.retire(t.app, { objectId, registrationId: String(body['registrationId']) });
    await save({ ...body, city: 'Oslo' });
    expect(await bucketOf(objectId)).toBe('retired:hms');
    await save({ ...body, registrationId: unique('r') });
    expect(await bucketOf(objectId)).toBe('hms/_default');
    await save(body);
    expect(await bucketOf(objectId)).toBe('hms/_default');
  });

  it('is never shown to clients', async () => {
    const body = anInstallation();
    const objectId = await saved(body);
    await t.store.installations.retire(t.app, { objectId, registrationId: String(body['registrationId']) });
    expect(Object.keys((await get(objectId)) ?? {}).filter((key) => !/^[A-Za-z]/.test(key))).toEqual([]);
  });
});

describe('removal', () => {
  it('leaves neither record nor index entry nor look-up', async () => {
    const body = anInstallation({ channels: ['gone'], deviceToken: unique('token') });
    const objectId = await saved(body);
    expect(await t.store.installations.remove(t.app, objectId)).toBe(true);
    expect(await get(objectId)).toBeUndefined();
    expect(await t.store.installations.sizes(t.app, 'hms/_default', ['gone'])).toEqual(Array(256).fill(0));
    for (const kind of ['installationId', 'deviceToken', 'registrationId'] as const) {
      const { key, field } = t.keys.lookUp(t.app, kind, String(body[kind]));
      expect(await t.redis.hget(key, field)).toBeNull();
    }
    expect(await t.store.installations.remove(t.app, objectId)).toBe(false);
  });

  it('at the same time as saves leaves the device reachable or gone, never doubled', async () => {
    for (let round = 0; round < 30; round += 1) {
      const body = anInstallation({ vendor: 'mi', channels: [`round${round}`] });
      const objectId = await saved(body);
      await Promise.all([
        t.open().installations.remove(t.app, objectId),
        t.open().installations.save({ app: t.app, body, now: t.clock.now() }),
        t.open().installations.save({ app: t.app, body: { ...body, city: 'Bonn' }, now: t.clock.now() }),
      ]);
      const again = await saved(body);
      const where = { installationId: body['installationId'] ?? null };
      const { results } = await t.store.installations.find({ app: t.app, where, limit: 10, skip: 0, count: false });
      expect(results.map((found) => found.objectId)).toEqual([again]);
      const sizes = await t.store.installations.sizes(t.app, 'mi/_default', [`round${round}`]);
      expect(sizes.reduce((a, b) => a + b)).toBe(1);
    }
  });
});

describe('a release that knows more vendors', () => {
  it('moves a device on its next save and loses nothing of it', async () => {
    const body = anInstallation({ vendor: 'honor', channels: ['h'] });
    const objectId = await saved(body);
    expect(await bucketOf(objectId)).toBe('unknown');
    const newer = t.open({ vendors: new Map([['honor', 'honor']]) }).installations;
    expect(await newer.get(t.app, objectId)).toMatchObject(body);
    await newer.save({ app: t.app, body: { city: 'Kyoto' }, objectId, now: t.clock.now() });
    expect(await newer.get(t.app, objectId)).toMatchObject({ ...body, city: 'Kyoto' });
    expect((await newer.sizes(t.app, 'unknown', ['h'])).reduce((a, b) => a + b)).toBe(0);
    expect((await newer.sizes(t.app, 'honor/_default', ['h'])).reduce((a, b) => a + b)).toBe(1);
    expect(await newer.addresses(t.app, 'unknown', [objectId])).toEqual(new Map());
  });
});

describe('a save with the app key', () => {
  const client = { columns: ['level'], channelPrefixes: ['user-'] };
  const clientSave = (body: JsonObject, objectId?: string) =>
    t.store.installations.save({ app: t.app, body, objectId, now: t.clock.now(), client });

  it('leaves alone what is for the master key, and keeps the rest', async () => {
    const made = await clientSave(anInstallation({ level: 9, channels: ['news', 'user-7'], valid: false }));
    const { objectId = '' } = made?.installation ?? {};
    expect(await get(objectId)).toMatchObject({ valid: true, channels: ['news'] });
    expect(await get(objectId)).not.toHaveProperty('level');
    await save({ level: 3, channels: { __op: 'AddUnique', objects: ['user-8'] } }, objectId);
    await clientSave({ level: { __op: 'Delete' }, channels: ['sports', 'user-7'], city: 'Rome' }, objectId);
    expect(await get(objectId)).toMatchObject({ level: 3, channels: ['sports', 'user-8'], city: 'Rome' });
  });

  it('does not take a device out of the audience, which is valid again with another registrationId', async () => {
    const body = anInstallation();
    const objectId = await saved(body);
    await clientSave({ ...body, valid: false }, objectId);
    expect(await get(objectId)).toMatchObject({ valid: true });
    await save({ valid: false }, objectId);
    await clientSave({ ...body, valid: true }, objectId);
    expect(await get(objectId)).toMatchObject({ valid: false });
    await clientSave({ ...body, valid: false, registrationId: unique('new') }, objectId);
    expect(await get(objectId)).toMatchObject({ valid: true });
    expect(await bucketOf(objectId)).toBe('hms/_default');
  });

  it('cannot hide another installation from operators by taking its objectId for its own installationId', async () => {
    const victim = anInstallation();
    const objectId = await saved(victim);
    await clientSave(anInstallation({ installationId: objectId }));
    const found = await t.store.installations.inspect(t.app, objectId);
    expect(found?.installation).toMatchObject({ objectId, installationId: victim['installationId'] });
  });

  it('that moves a registrationId says so, to its caller and on both records', async () => {
    const victim = anInstallation();
    const from = await saved(victim);
    const taken = { registrationId: victim['registrationId'] ?? null };
    const thief = await clientSave(anInstallation(taken));
    const to = thief?.installation.objectId ?? '';
    expect(thief?.tookFrom).toEqual([from]);
    const at = new Date(t.clock.now()).toISOString();
    expect(await t.store.installations.inspect(t.app, String(victim['installationId']))).toMatchObject({
      registrationLostTo: { objectId: to, at },
    });
    await clientSave({ city: 'Rome' }, to);
    expect(await t.store.installations.inspect(t.app, to)).toMatchObject({
      installation: { ...taken, city: 'Rome' },
      registrationTakenFrom: { objectId: from, at },
    });
    expect(Object.keys((await get(to)) ?? {}).filter((key) => key.startsWith('$'))).toEqual([]);
    expect((await clientSave({ ...taken }, to))?.tookFrom).toEqual([]);
    expect((await save(anInstallation(taken)))?.tookFrom).toEqual([]);
  });
});
