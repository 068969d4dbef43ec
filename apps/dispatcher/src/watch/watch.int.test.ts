import { OWN_CHANNEL } from '@pushfleet/domain';
import { bulkQueue, directQueue, PUSH_REQUESTS, PUSH_SCHEDULE } from '@pushfleet/queues';
import { openMetrics } from '@pushfleet/service-kit';
import { Books, openStore, redisSettings } from '@pushfleet/store';
import { unique, until } from '@pushfleet/testing';
import { dispatchEnvelope } from '../dispatch';
import { openAttempt } from '../attempts';
import { attempt, dispatcherUnderTest } from '../testing/dispatcher-under-test';
import { Audience } from './audience';
import { Backlog } from './backlog';
import { fleetMetrics } from './fleet-metrics';
import { openWatch, type Watch } from './watch';

const t = dispatcherUnderTest();
const HOUR_MS = 3_600_000;

const dispatch = (...pushIds: readonly string[]) => dispatchEnvelope(t.ports, unique('e'), pushIds);

function backlog(told: string[] = [], trying = attempt): Backlog {
  const channels = new Set(['hms', 'mi', OWN_CHANNEL]);
  const onImbalance = (pushId: string) => void told.push(pushId);
  return new Backlog({ store: t.store, channels, now: Date.now, attempt: trying, onImbalance });
}

async function waiting(): Promise<Record<string, number>> {
  const { waitsSince } = await backlog().look();
  return Object.fromEntries(
    [...waitsSince].map(([queue, since]) => [queue, Math.round((Date.now() - since) / HOUR_MS)]),
  );
}

async function aDevice() {
  const app = await t.createApp();
  const [objectId = ''] = await t.register(app, [{ vendor: 'HMS', registrationId: unique('r') }]);
  const audience = { addressed: { field: 'objectId' as const, values: [objectId] } };
  return { app, audience };
}

const aged = (hours: number) => ({ pushTime: Date.now() - hours * HOUR_MS, expiresAt: Date.now() + HOUR_MS });

describe('the age of a queue', () => {
  test('is that of its oldest open push, direct and bulk apart, whether or not a job is left', async () => {
    const { app, audience } = await aDevice();
    const pushes = [await t.accept(app, { ...aged(2), audience }), await t.accept(app, aged(5))];
    await dispatch(...pushes, await t.accept(app, aged(1)));
    await t.lose(bulkQueue('hms'));
    expect(await waiting()).toEqual({ [directQueue('hms')]: 2, [bulkQueue('hms')]: 5 });
  });

  test('counts a push that is not dispatched, and a scheduled one from its time on', async () => {
    const { app } = await aDevice();
    await t.accept(app, aged(3));
    await t.accept(app, { ...aged(1), isScheduled: true });
    await t.accept(app, { isScheduled: true, pushTime: Date.now() + HOUR_MS });
    expect(await waiting()).toEqual({ [PUSH_REQUESTS]: 3, [PUSH_SCHEDULE]: 1 });
    expect((await backlog().look()).open).toEqual({ due: 2, scheduled: 1 });
  });

  test('follows the work: what is folded counts no more, and the next push does', async () => {
    const { app, audience } = await aDevice();
    const [older, younger] = [
      await t.accept(app, { ...aged(4), audience }),
      await t.accept(app, { ...aged(2), audience }),
    ];
    await dispatch(older, younger);
    const watched = backlog();
    const first = await watched.look();
    await foldPage(older);
    const second = await watched.look();
    expect([first, second].map(({ devicesLeft }) => devicesLeft.get('hms'))).toEqual([2, 1]);
    const ages = [first, second].map(({ waitsSince }) => Date.now() - (waitsSince.get(directQueue('hms')) ?? 0));
    expect(ages.map((ms) => Math.round(ms / HOUR_MS))).toEqual([4, 2]);
  });
});

const RETRY = {
  channel: 'hms',
  profile: '_default',
  devices: [['a device'] as const],
  dueAt: 0,
  tries: 1,
  direct: true,
};

async function foldPage(pushId: string, { page = 1, outstanding = -1, accepted = 1, isRetried = false } = {}) {
  const books = new Books('hms');
  books.add('outstanding', outstanding);
  books.accept(accepted);
  const retries = isRetried ? [RETRY] : [];
  await t.store.ledger.fold({ pushId, part: { page }, books, retries, now: Date.now() });
}

describe('the books', () => {
  test('that add up are no imbalance, while a push is open and when it is done', async () => {
    const { app, audience } = await aDevice();
    const pushId = await t.accept(app, { audience });
    await dispatch(pushId);
    expect(await backlog().look()).toMatchObject({ imbalanced: 0, looked: 1 });
    await foldPage(pushId);
    expect(await backlog().look()).toMatchObject({ imbalanced: 0, looked: 1 });
  });

  test('that do not are told once and counted until the record is right or gone', async () => {
    const { app, audience } = await aDevice();
    const pushId = await t.accept(app, { audience });
    await dispatch(pushId);
    await foldPage(pushId, { outstanding: 0, isRetried: true });
    const told: string[] = [];
    const watched = backlog(told);
    const rounds = [await watched.look(), await watched.look()];
    expect([rounds.map(({ imbalanced }) => imbalanced), told]).toEqual([[1, 1], [pushId]]);
    await foldPage(pushId, { page: 2, accepted: 0 });
    expect((await watched.look()).imbalanced).toBe(0);
  });
});

describe('a record that cannot be read', () => {
  test('counts as it was last read, and its books are not told again', async () => {
    const { app, audience } = await aDevice();
    const pushId = await t.accept(app, { ...aged(2), audience });
    await dispatch(pushId);
    await foldPage(pushId, { outstanding: 0, isRetried: true });
    const [told, failed]: [string[], unknown[]] = [[], []];
    const watched = backlog(
      told,
      openAttempt((_, turn) => void failed.push(turn)),
    );
    const before = await watched.look();
    const record = t.ledgerKey(pushId).replace(/:ledger$/, '');
    await t.redis.rename(record, `${record}:aside`);
    await t.spoilRecord(pushId);
    const meanwhile = await watched.look();
    expect(failed).toContainEqual({ pushId });
    await t.redis.rename(`${record}:aside`, record);
    failed.length = 0;
    const after = await watched.look();
    const shown = { open: { due: 1, scheduled: 0 }, imbalanced: 1, waitsSince: before.waitsSince };
    expect([before, meanwhile, after]).toEqual(Array(3).fill(expect.objectContaining(shown)));
    expect(before.waitsSince.size).toBe(1);
    expect([told, failed]).toEqual([[pushId], []]);
  });
});

describe('several watchers', () => {
  interface Watcher extends Watch {
    text(): Promise<string>;
  }
  function watcher({ memory = () => redisSettings(t.redis), trying = attempt } = {}): Watcher {
    const metrics = openMetrics('test');
    const queues = [t.ports.requests, t.ports.queues.direct('hms')];
    const audience = new Audience({ ...t.store, channels: new Set(['hms', 'mi', OWN_CHANNEL]), attempt: trying });
    const watched = { backlog: backlog([], trying), audience, queues, memory };
    const ports = { store: t.store, ...watched, attempt: trying, now: Date.now };
    return { ...openWatch({ ...ports, metrics: fleetMetrics(metrics) }, 1000), text: () => metrics.text() };
  }

  test('who can be reached is told by channel, and who waits by channel and reason', async () => {
    const { app } = await aDevice();
    await t.register(app, [{ vendor: 'HMS', registrationId: unique('r') }]);
    const push = await t.accept(app, aged(1));
    await dispatch(push);
    const { controls } = t.store.pacing;
    await controls.set('hms', { state: 'paused', app: app.id, since: Date.now() });
    const one = watcher();
    // An audience of many apps takes several rounds.
    const text = await until(async () => {
      await one.round();
      const told = await one.text();
      return /pushfleet_installations\{/.test(told) ? told : undefined;
    });
    await one.leave();
    await controls.lift('hms', { app: app.id });
    expect(text).toMatch(/pushfleet_channel_devices_waiting\{channel="hms",reason="paused",service="test"\} 2/);
    expect(text).toMatch(/pushfleet_installations\{channel="hms",state="target",service="test"\} [2-9]/);
  });

  test('only one tells what there is, and another when that one leaves', async () => {
    const [one, two] = [watcher(), watcher()];
    for (const id of ['a', 'b'])
      await t.store.processes.beat({ id, role: 'gateway', labels: {}, version: '1.2.3', since: 0 });
    await one.round();
    await two.round();
    expect(await one.text()).toMatch(/pushfleet_queue_jobs\{queue="push-requests",state="waiting",service="test"\} 0/);
    expect(await one.text()).toMatch(/pushfleet_redis_memory_bytes\{node="[^"]+",kind="used",service="test"\} [1-9]/);
    expect(await one.text()).toMatch(/pushfleet_processes\{role="gateway",version="1.2.3",service="test"\} 2/);
    expect(await one.text()).toMatch(/pushfleet_installations_unseen\{state="ending",service="test"\} 0/);
    expect(await two.text()).not.toMatch(/pushfleet_(queue_jobs|processes|installations_unseen)\{/);
    await one.leave();
    await two.round();
    await one.round();
    expect(await one.text()).not.toMatch(/pushfleet_(queue_jobs|push_records|redis_memory_bytes)\{/);
    expect(await two.text()).toMatch(/pushfleet_push_records\{result="imbalanced",service="test"\} 0/);
  });

  test('how many apps there are is told, and that there is none', async () => {
    const one = watcher();
    const shown = async (): Promise<number> => {
      await one.round();
      const [, count] = /pushfleet_apps\{state="stored",service="test"\} (\d+)/.exec(await one.text()) ?? [];
      return Number(count);
    };
    await t.createApp();
    expect(await shown()).toBe(await t.store.apps.count());
    const apps = `${t.at(PUSH_REQUESTS).namespace}:apps`;
    await t.redis.rename(apps, `${apps}:aside`);
    expect(await shown()).toBe(0);
    await t.redis.rename(`${apps}:aside`, apps);
    await one.leave();
  });

  test('a process whose clock goes wrong is told with its role', async () => {
    const { namespace } = t.at(PUSH_REQUESTS);
    const now = (): number => Date.now() - 300_000;
    const wrong = openStore({ redis: t.redis, namespace, vendors: new Map(), now });
    const worker = { role: 'channel-worker', labels: { channel: 'hms' }, version: '1.2.3', since: 0 };
    await t.store.processes.beat({ ...worker, id: 'right' });
    await wrong.processes.beat({ ...worker, id: 'wrong' });
    const one = watcher();
    await one.round();
    const text = await one.text();
    await one.leave();
    await Promise.all(['right', 'wrong'].map((id) => t.store.processes.leave(id)));
    const [, seconds] =
      /pushfleet_process_clock_distance_seconds\{role="channel-worker",service="test"\} (\S+)/.exec(text) ?? [];
    expect(Math.abs(Number(seconds) - 300)).toBeLessThan(3);
  });

  test('what became of devices is told by one of them, from the first on, and nothing that did not', async () => {
    const { app, audience } = await aDevice();
    const [one, two] = [watcher(), watcher()];
    await one.round();
    const series =
      'pushfleet_devices_total{channel="hms",outcome="discarded",reason="silent-unsupported",service="test"}';
    expect(await one.text()).toContain(`${series} 0`);
    await t.store.profiles.remove({ app: app.id, channel: 'hms', profile: '_default' });
    await dispatch(await t.accept(app, { audience }));
    await one.round();
    await one.round();
    await two.round();
    expect(await one.text()).toContain(
      'pushfleet_devices_total{channel="hms",outcome="discarded",reason="profile-missing",service="test"} 1',
    );
    expect(await one.text()).toContain('pushfleet_device_events_total{channel="hms",event="matched",service="test"} 1');
    expect(await two.text()).not.toContain('pushfleet_devices_total{');
  });

  test('one that cannot see shows nothing rather than old numbers', async () => {
    let isAway = false;
    const memory = () => (isAway ? Promise.reject(new Error('away')) : redisSettings(t.redis));
    const one = watcher({ memory });
    await one.round();
    isAway = true;
    await expect(one.round()).rejects.toThrow('away');
    expect(await one.text()).not.toMatch(/pushfleet_queue_jobs\{/);
  });

  test('an app and a push that cannot be read are told, and the others are measured', async () => {
    const { app, audience } = await aDevice();
    const [spoilt, push] = [await aDevice(), await t.accept(app, { ...aged(1), audience })];
    const unreadable = await t.accept(spoilt.app, aged(2));
    await dispatch(push, unreadable);
    await t.spoilList(spoilt.app.id);
    await t.spoilRecord(unreadable);
    const failed: unknown[] = [];
    const one = watcher({ trying: openAttempt((_, turn) => void failed.push(turn)) });
    await one.round();
    expect(failed).toEqual(expect.arrayContaining([{ app: spoilt.app.id }, { pushId: unreadable }]));
    expect(await one.text()).toMatch(/pushfleet_channel_devices_left\{channel="hms",service="test"\} 1/);
  });
});
