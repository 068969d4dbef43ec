import { channelNames } from '@pushfleet/channels';
import { directQueue, openConsumer, openProducer } from '@pushfleet/queues';
import { Books } from '@pushfleet/store';
import { connectTestRedis, mastersOf, startRedisServer, unique, until, type RedisServer } from '@pushfleet/testing';
import { z } from 'zod';
import type { Check } from '../doctor/check';
import { columnIndexChecks } from '../doctor/column-index-checks';
import { consoleHarness, type ConsoleHarness } from '../testing/console-harness';
import { putStrangeProfile } from '../testing/strange-profile';

const admin = consoleHarness();
const MI = { appId: 'app', appSecret: 'sim-secret', packageName: 'com.example.app' };

async function examine(of: ConsoleHarness): Promise<readonly Check[]> {
  const { status, body } = await of.call('GET', '/doctor');
  expect(status).toBe(200);
  const checks = body['checks'] as readonly Check[];
  expect(body['ok']).toBe(checks.every((check) => check.status !== 'problem'));
  return checks;
}

const about = (checks: readonly Check[], check: string, subject?: string): Check | undefined =>
  checks.find((found) => found.check === check && (subject === undefined || found.subject === subject));

const newApp = async (): Promise<string> =>
  String((await admin.call('POST', '/apps', { name: 'Test', edition: 'commercial' })).body['id']);

describe('GET /doctor', () => {
  describe('200', () => {
    it('finds a Redis that is set up as it must be', async () => {
      const checks = await examine(admin);
      expect(about(checks, 'redis-version')).toMatchObject({ status: 'ok' });
      expect(about(checks, 'redis-eviction')).toMatchObject({ status: 'ok', finding: 'noeviction' });
      expect(about(checks, 'redis-persistence')).toMatchObject({ status: 'ok' });
      expect(about(checks, 'redis-clock')).toMatchObject({ status: 'ok' });
      expect(about(checks, 'pushes-waiting')).toMatchObject({ status: 'ok' });
    });

    it('tells of an app whose pushes to channels are walked, until its index is known to be whole', async () => {
      const { channels } = admin.store.installations;
      const settledAt = await channels.noteFleet({ now: Date.now(), isFresh: async () => true });
      const app = await newApp();
      const { status, finding } = about(await examine(admin), 'channel-indexes') ?? {};
      expect([status, finding]).toEqual(['ok', expect.stringContaining('are walked while their index is checked')]);
      for (const { id } of await admin.store.apps.list())
        await channels.check(id, { now: Date.now, settledAt, stopping: new AbortController().signal });
      expect((await channels.states()).get(app)).toMatchObject({ isSound: true });
      expect(about(await examine(admin), 'channel-indexes')?.finding).toMatch(/every app is whole/);
    });

    it('says that every index of channels is in doubt once no dispatcher has been there for ten minutes', async () => {
      const { channels } = admin.store.installations;
      await newApp();
      await channels.noteFleet({ now: Date.now(), isFresh: async () => true });
      const fleet = `${admin.namespace}:channel-indexes`;
      const seenAt = Date.now() - 660_000;
      const noted = JSON.parse((await admin.redis.hget(fleet, 'fleet')) ?? '') as object;
      await admin.redis.hset(fleet, 'fleet', JSON.stringify({ ...noted, seenAt }));
      const found = about(await examine(admin), 'channel-indexes');
      await admin.redis.hset(fleet, 'fleet', JSON.stringify(noted));
      expect(found).toMatchObject({ status: 'warning', advice: expect.stringContaining('start a dispatcher') });
      expect(found?.finding).toContain(`no dispatcher has been there since ${new Date(seenAt).toISOString()}`);
      expect(found?.finding).toContain('messages');
      expect(about(await examine(admin), 'channel-indexes')).toMatchObject({ status: 'ok' });
    });

    it('tells of a column whose index pushes do not use yet, and warns of one that is not made', async () => {
      const app = await newApp();
      expect(about(await examine(admin), 'column-indexes')).toMatchObject({ status: 'ok' });
      await admin.call('PUT', `/apps/${app}/indexes/user`);
      const building = about(await examine(admin), 'column-indexes');
      expect(building).toMatchObject({ status: 'ok', finding: expect.stringContaining('0 of 256 parts') });
      const [late] = await columnIndexChecks(admin.store, Date.now() + 2 * 3_600_000);
      expect(late).toMatchObject({ status: 'warning', finding: expect.stringContaining(`column user of app ${app}`) });
      await admin.call('DELETE', `/apps/${app}/indexes/user`);
    });

    it('names the index that a push which read all of an app would have needed', async () => {
      expect(about(await examine(admin), 'walked-apps')).toMatchObject({ status: 'ok' });
      const app = await newApp();
      await admin.store.installations.columns.noteWalk(app, { columns: ['user'], devices: 5000, at: Date.now() });
      const walked = about(await examine(admin), 'walked-apps', app);
      expect(walked).toMatchObject({ status: 'warning', finding: expect.stringContaining('user is not indexed') });
      expect(walked?.advice).toContain(`pushfleet indexes add ${app} user`);
    });

    it('names what lets whoever has an app do more than most owners want', async () => {
      const { body } = await admin.call('POST', '/apps', { name: 'Open', edition: 'developer', key: 'short-key' });
      const app = String(body['id']);
      const settings = { installationQueries: true, pushQueries: true };
      await admin.call('PATCH', `/apps/${app}`, settings);
      const text = { content: { data: { alert: 'a' }, sections: {} }, prod: 'prod' } as const;
      const push = { ...text, app, audience: { subscriptions: ['user-7'] }, where: { channels: { $in: ['user-7'] } } };
      const times = { pushTime: Date.now(), expiresAt: Date.now() + 60_000, isScheduled: false };
      const [accepted] = await admin.store.acceptPushes([{ ...push, ...times }]);
      await admin.store.pushes.index(app, [{ pushId: accepted?.pushId ?? '', createdAt: Date.now() }]);
      const checks = await examine(admin);
      const unsafe = ['client-push', 'installation-queries', 'push-queries', 'keys', 'channels'].map(
        (name) => `app-${name}`,
      );
      for (const check of unsafe) expect([check, about(checks, check, app)?.status]).toEqual([check, 'warning']);
      for (const check of ['admin-token', 'redis-password', 'redis-memory']) expect(about(checks, check)).toBeDefined();
      expect(about(checks, 'trusted-proxies')).toMatchObject({
        status: 'warning',
        advice: expect.stringMatching(/HOPS/),
      });
      await admin.call('PATCH', `/apps/${app}`, {
        ...{ clientPush: false, installationQueries: false, pushQueries: false },
        masterOnly: { channelPrefixes: ['user-'] },
      });
      await admin.call('POST', `/apps/${app}/keys`, { which: 'key' });
      const safe = await examine(admin);
      for (const check of unsafe) expect([check, about(safe, check, app)?.status]).toEqual([check, 'ok']);
    });

    it('has one line for apps of which it finds the same, where there are many', async () => {
      const apps = await Promise.all(Array.from({ length: 21 }, newApp));
      const found = (await examine(admin)).filter(
        ({ check, status }) => check === 'app-client-push' && status !== 'ok',
      );
      for (const app of apps) await admin.call('DELETE', `/apps/${app}`);
      expect(found).toMatchObject([
        {
          status: 'warning',
          subjects: expect.arrayContaining(apps),
          advice: 'pushfleet apps update APP --client-push off',
        },
      ]);
    });

    it('tries the same credentials once for all who ask at about the same time, and others at once', async () => {
      const app = await newApp();
      const save = (profile: object) => admin.call('PUT', `/apps/${app}/profiles/mi/_default`, profile);
      const verdictOf = (checks: readonly Check[]) => about(checks, 'profile', `${app}/mi/_default`)?.status;
      await save(MI);
      await examine(admin);
      const asked = admin.vendors.requests.length;
      const found = await Promise.all(Array.from({ length: 10 }, () => examine(admin)));
      expect(found.map(verdictOf)).toEqual(found.map(() => 'ok'));
      expect(admin.vendors.requests).toHaveLength(asked);
      await save({ ...MI, appSecret: 'stale' });
      expect(verdictOf(await examine(admin))).toBe('problem');
    });

    it('tries every profile with its vendor, and repeats no secret', async () => {
      const app = await newApp();
      await admin.call('PUT', `/apps/${app}/profiles/mi/_default`, MI);
      await admin.call('PUT', `/apps/${app}/profiles/mi/stale`, { ...MI, appSecret: 'wrong-secret-of-mi' });
      const checks = await examine(admin);
      expect(about(checks, 'profile', `${app}/mi/_default`)).toMatchObject({ status: 'ok' });
      const refused = about(checks, 'profile', `${app}/mi/stale`);
      expect(refused).toMatchObject({ status: 'problem', advice: expect.stringContaining('profiles put') });
      expect(JSON.stringify(checks)).not.toContain('wrong-secret-of-mi');
    });

    it('does not take a spent quota for credentials that are wrong', async () => {
      const app = await newApp();
      await admin.call('PUT', `/apps/${app}/profiles/mi/_default`, MI);
      admin.vendors.misbehave({ kind: 'quota', times: Infinity });
      const found = about(await examine(admin), 'profile', `${app}/mi/_default`);
      admin.vendors.misbehave({ kind: 'quota', times: 0 });
      expect(found).toMatchObject({ status: 'warning', finding: expect.stringContaining('exceed quota') });
      expect(found?.finding).not.toContain('refuses');
      expect(found?.advice).not.toContain('profiles put');
    });

    it('tells at once what waits for a vendor, how many devices and until when', async () => {
      const app = await newApp();
      const content = { data: { alert: 'a' }, sections: {} };
      const times = { pushTime: Date.now(), expiresAt: Date.now() + 3_600_000, isScheduled: false };
      const push = { app, content, audience: {}, where: {}, prod: 'prod' as const, ...times };
      const [{ pushId = '' } = {}] = await admin.store.acceptPushes([push]);
      const books = ['mi', 'oppo'].map((channel) => {
        const column = new Books(channel);
        column.add('expected', 30);
        return column;
      });
      const lanes = ['mi', 'oppo'].map((channel, i) => ({
        ...{ id: i + 1, channel, profile: '_default', bucket: `${channel}/_default` as const },
        ...{ fromShard: 0, toShard: 256 },
      }));
      await admin.store.ledger.plan({ pushId, lanes, pages: [], books, now: Date.now() });
      expect(about(await examine(admin), 'devices-waiting')).toBeUndefined();
      const [of, until] = [{ app, profile: '_default' }, Date.now() + 60_000];
      const { vendorWaits, estimates } = admin.store.pacing;
      await vendorWaits.note('mi', of, { until, reason: 'quota-exceeded' });
      await estimates.note({ pushId, channel: 'oppo', devicesPerSecond: 1, now: Date.now() });
      const checks = await examine(admin);
      expect(about(checks, 'devices-waiting', 'mi')).toMatchObject({
        status: 'warning',
        finding: `30 devices wait (pushes: 1): quota-exceeded, until ${new Date(until).toISOString()}`,
        advice: expect.stringContaining('raise the allowance'),
      });
      expect(about(checks, 'devices-waiting', 'oppo')).toMatchObject({
        status: 'ok',
        finding: expect.stringMatching(/^30 devices wait \(pushes: 1\): budget-spent, until \S+Z$/),
      });
      await vendorWaits.clear('mi', of);
      await admin.store.pushes.cancel(pushId, Date.now());
    });

    it('tells that a queue with work has no consumer, until it has one', async () => {
      const location = { redis: admin.redis, namespace: admin.namespace, onError: () => undefined };
      const queue = directQueue('vivo');
      const producer = openProducer<object>({ ...location, queue });
      await producer.add([{ id: 'waits', data: {} }]);
      await producer.close();
      expect(about(await examine(admin), 'queue-consumers', queue)).toMatchObject({
        status: 'problem',
        finding: '1 jobs are due and nobody takes them',
        advice: 'start a channel-worker with CHANNEL=vivo',
      });
      const consumer = openConsumer(
        { ...location, queue },
        {
          ...{ schema: z.looseObject({}), concurrency: 1, lockMs: 5000 },
          ...{ handle: async () => 'done' as const, onFailure: () => undefined },
        },
      );
      await until(async () => about(await examine(admin), 'queue-consumers', queue)?.status === 'ok');
      await consumer.close();
    });

    it('warns of a channel without a worker only when some app has a profile for it', async () => {
      const unused = channelNames.find((name) => name !== 'mi' && name !== 'vivo') ?? '';
      const app = await newApp();
      await admin.call('PUT', `/apps/${app}/profiles/mi/_default`, MI);
      const checks = await examine(admin);
      expect(about(checks, 'queue-consumers', directQueue(unused))).toMatchObject({ status: 'ok' });
      for (const queue of [directQueue('mi'), directQueue('own'), 'push-requests', 'receipts'])
        expect(about(checks, 'queue-consumers', queue)).toMatchObject({ status: 'warning' });
    });

    it('tells of a channel that somebody paused, of what waits for it, and how to go on', async () => {
      const app = await newApp();
      await admin.call('PUT', `/apps/${app}/profiles/mi/_default`, MI);
      await admin.call('POST', '/channels/mi/pause', { app });
      await admin.call('POST', '/channels/own/drain', {});
      const checks = await examine(admin);
      expect(about(checks, 'channel-decisions', `mi --app ${app}`)).toMatchObject({
        status: 'warning',
        finding: expect.stringMatching(/^paused since \S+Z: nothing is sent; 0 devices wait \(pushes: 0\)$/),
        advice: `\`pushfleet channels resume mi --app ${app}\` when it is over`,
      });
      expect(about(checks, 'channel-decisions', 'own')).toMatchObject({ finding: expect.stringMatching(/^draining/) });
      await admin.call('POST', '/channels/mi/resume', { app });
      await admin.call('POST', '/channels/own/resume', {});
      expect(about(await examine(admin), 'channel-decisions')).toBeUndefined();
    });

    it('tells that SECRET_KEY does not open what is stored', async () => {
      const ref = { app: await newApp(), channel: 'mi', profile: 'sealed' };
      await putStrangeProfile(admin, ref, { value: MI, receiptKey: 'key' });
      expect(about(await examine(admin), 'secret-key')).toMatchObject({
        status: 'problem',
        advice: expect.stringContaining('SECRET_KEY_PREVIOUS'),
      });
      await admin.store.profiles.remove(ref);
      expect(about(await examine(admin), 'secret-key')).toMatchObject({ status: 'ok' });
    });

    it('tells of a secret that was altered, which no key opens', async () => {
      const ref = { app: await newApp(), channel: 'mi', profile: 'altered' };
      await admin.store.profiles.put(ref, { value: MI, receiptKey: 'key' });
      const [key, field] = [`${admin.namespace}:profiles:{${ref.app}}`, 'mi/altered'];
      const sealed = (await admin.redis.hget(key, field)) ?? '';
      await admin.redis.hset(key, field, sealed.replace(/^2\./, ''));
      expect(about(await examine(admin), 'secret-key')).toMatchObject({
        status: 'problem',
        finding: expect.stringMatching(/^1 of \d+ secrets were altered/),
      });
      await admin.store.profiles.remove(ref);
    });
  });

  describe('401', () => {
    it('is the answer without the token', async () => {
      expect(await admin.raw('/api/v1/doctor')).toMatchObject({ status: 401 });
    });
  });
});

describe('GET /doctor on a Redis that was changed since the console started', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedisServer({ args: ['--maxmemory', '40mb'] });
  });
  const changed = consoleHarness({ redisUrl: () => server.url });
  afterAll(() => server.close());

  it('names what is wrong with every master, and what to do', async () => {
    const redis = await connectTestRedis(server.url);
    const settings = [...['maxmemory-policy', 'allkeys-lru'], ...['appendonly', 'no'], ...['maxmemory', '1mb']];
    await Promise.all(mastersOf(redis).map((master) => master.call('CONFIG', 'SET', ...settings)));
    redis.disconnect();
    const checks = await examine(changed);
    for (const { subject } of checks.filter(({ check }) => check === 'redis-version')) {
      expect(about(checks, 'redis-eviction', subject)).toMatchObject({
        status: 'problem',
        finding: expect.stringContaining('allkeys-lru'),
        advice: expect.stringContaining('noeviction'),
      });
      expect(about(checks, 'redis-persistence', subject)).toMatchObject({ status: 'problem' });
      expect(about(checks, 'redis-memory', subject)).toMatchObject({
        status: 'problem',
        finding: expect.stringContaining('of 1 MB'),
      });
    }
  });
});

describe('GET /doctor on a Redis that refuses writes', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedisServer();
  });
  const refusing = consoleHarness({ redisUrl: () => server.url });
  afterAll(() => server.close());
  const set = async (name: string, value: string): Promise<void> =>
    void (await Promise.all(mastersOf(refusing.redis).map((master) => master.config('SET', name, value))));

  it.each([
    ['OOM', 'maxmemory', 'raise maxmemory'],
    ['NOREPLICAS', 'min-replicas-to-write', 'bring its replicas back'],
  ])('runs every check and says why: %s', async (code, setting, advice) => {
    const { body } = await refusing.call('POST', '/apps', { name: 'Test', edition: 'commercial' });
    await refusing.call('PUT', `/apps/${String(body['id'])}/profiles/mi/_default`, MI);
    await refusing.store.processes.beat({
      ...{ id: 'one', role: 'dispatcher', labels: {}, version: '1.2.3', since: Date.now() },
    });
    const before = await examine(refusing);
    expect(about(before, 'redis-writes')).toMatchObject({ status: 'ok' });
    await set(setting, '1');
    const checks = await examine(refusing).finally(() => set(setting, '0'));
    expect(checks.map(({ check, subject }) => [check, subject])).toEqual(
      before.map(({ check, subject }) => [check, subject]),
    );
    expect(about(checks, 'redis-writes')).toMatchObject({
      status: 'problem',
      finding: expect.stringContaining(code),
      advice: expect.stringContaining(advice),
    });
  });
});

it('a damaged record of a MAC token is told of, and ends no check', async () => {
  const key = `${admin.namespace}:mac:{damaged}`;
  await admin.redis.set(key, 'no JSON');
  const found = about(await examine(admin), 'secret-key');
  await admin.redis.del(key);
  expect(found).toMatchObject({ status: 'problem', finding: expect.stringContaining('1 records of MAC tokens') });
});

describe('a fleet without an app', () => {
  const emptied = consoleHarness();

  it('is told, with what to do when there were some', async () => {
    expect(about(await examine(emptied), 'app-records')).toMatchObject({
      status: 'warning',
      finding: 'there is no app: every push is refused with 401',
      advice: expect.stringContaining('restore the backup'),
    });
    await emptied.call('POST', '/apps', { name: 'Test', edition: 'commercial' });
    expect(about(await examine(emptied), 'app-records')).toMatchObject({ status: 'ok' });
  });
});

describe('an app whose record cannot be read', () => {
  const damaged = consoleHarness();

  it.each(['no JSON', '5', '{}'])('is named, and stops nothing of the others: %s', async (text) => {
    const { body } = await damaged.call('POST', '/apps', { name: 'Test', edition: 'commercial' });
    const sound = String(body['id']);
    const id = unique('damaged');
    await damaged.redis.hset(`${damaged.namespace}:apps`, id, text);
    const checks = await examine(damaged);
    expect(about(checks, 'app-records', id)).toMatchObject({ status: 'problem' });
    expect(about(checks, 'app-room', sound)).toMatchObject({ status: 'ok' });
    const { results, unreadable } = (await damaged.call('GET', '/apps')).body as Record<string, { id: string }[]>;
    expect([results?.map((app) => app.id), unreadable]).toEqual([expect.arrayContaining([sound]), [id]]);
    expect((await damaged.call('GET', '/secrets')).body).toMatchObject({ unreadable: 0, unreadableApps: [id] });
    await damaged.store.sealing.beginReseal();
    await damaged.store.sealing.reseal(new AbortController().signal);
    expect(await damaged.store.sealing.progress()).toMatchObject({ reseal: undefined });
    expect(await damaged.redis.hget(`${damaged.namespace}:apps`, id)).toBe(text);
    await damaged.redis.hdel(`${damaged.namespace}:apps`, id);
    expect(about(await examine(damaged), 'app-records')).toMatchObject({ status: 'ok' });
  });
});
