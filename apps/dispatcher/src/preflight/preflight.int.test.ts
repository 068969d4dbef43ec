import { randomInt } from 'node:crypto';
import { channels } from '@pushfleet/channels';
import { parseWhere, traitsOf, type AppWithKeys, type Audience, type JsonObject } from '@pushfleet/domain';
import type { PreflightCounts, PreflightQuestion, PreflightState } from '@pushfleet/store';
import { keysIn, until } from '@pushfleet/testing';
import { dispatcherUnderTest } from '../testing/dispatcher-under-test';
import { countPush, type CountPorts } from './count-push';
import { startPreflights } from './start-preflights';

const t = dispatcherUnderTest();
/** More of them by `PREFLIGHT_SAMPLES`. */
const SAMPLES = Number(process.env['PREFLIGHT_SAMPLES'] ?? 5);
const WAYS = {
  'mz/_default': { pageDevices: 300, maxBatch: 100 },
  'hms/_default': { pageDevices: 1000, maxBatch: 1000 },
};

async function appWith(count: number, deviceOf: (n: number) => JsonObject): Promise<AppWithKeys> {
  const app = await t.createApp(['hms', 'mz']);
  const rows = Array.from({ length: count }, (_, n) => ({
    objectId: n.toString(16).padStart(24, '0'),
    doc: { deviceType: 'android', installationId: `i${n}`, ...deviceOf(n) },
  }));
  for (let i = 0; i < rows.length; i += 1000) await t.store.installations.import(app.id, rows.slice(i, i + 1000));
  return app;
}

const question = ({ id: app }: AppWithKeys, audience: Audience, isExact: boolean): PreflightQuestion => ({
  ...{ id: `q${randomInt(1e9)}`, app, ways: WAYS, isExact, until: Date.now() + 60_000, frame: { mine: 1 } },
  push: {
    ...{ content: { data: { alert: 'x' }, sections: {} }, audience },
    ...{ pushTime: Date.now(), expiresAt: Date.now() + 3_600_000 },
  },
});

const NO_WALK = { signal: new AbortController().signal, onLookedAt: () => undefined };
/** By this clock, a sample has all the time that it likes. */
const ports = () => ({ ...t.ports, traits: traitsOf(Object.values(channels)), now: () => 0 });
const count = (app: AppWithKeys, audience: Audience, isExact: boolean): Promise<PreflightCounts> =>
  countPush(ports(), question(app, audience, isExact), NO_WALK);

const where = (condition: JsonObject): Audience => ({ predicate: parseWhere(condition) });
const keysOf = async (): Promise<readonly string[]> => [...(await keysIn(t.redis, `${t.at('').namespace}:*`))].sort();

it('counts whole what is small, by a walk and by a sample alike, and writes nothing', async () => {
  const app = await appWith(2100, (n) => ({
    ...(n % 3 === 0 ? { vendor: 'mz', registrationId: `r${n}` } : {}),
    ...(n % 3 === 1 ? { vendor: 'HMS', registrationId: `r${n}`, deviceProfile: n % 2 === 0 ? 'other' : '' } : {}),
    channels: n % 5 === 0 ? ['a'] : ['a', 'b'],
    ...(n % 90 === 2 ? { installationId: null, deviceToken: `t${n}` } : {}),
    ...{ n, color: n % 2 === 0 ? 'red' : 'blue' },
  }));
  const audiences: readonly Audience[] = [
    {},
    { subscriptions: ['a'] },
    { subscriptions: ['a', 'b'] },
    where({ n: { $lt: 450 } }),
    // A push would note that an index of the column would have helped.
    where({ color: 'red' }),
    { ...where({ n: { $gte: 100 } }), subscriptions: ['b'] },
    where({ n: { $inQuery: { className: '_Installation', where: { n: 3 } } } }),
    { addressed: { field: 'installationId', values: ['i0', 'i1', 'i2', 'nobody'] } },
  ];
  const before = await keysOf();
  for (const audience of audiences) {
    const [walked, sampled] = [await count(app, audience, true), await count(app, audience, false)];
    expect([audience, inOrder(sampled)]).toEqual([audience, inOrder(walked)]);
    expect(walked.counts.every(({ margin }) => margin === 0)).toBe(true);
  }
  expect((await count(app, where({ color: 'red' }), false)).index).toEqual(['color']);
  const { counts, index } = await count(app, {}, true);
  expect(index).toBeUndefined();
  expect(total(counts, 'matched')).toBe(2100);
  expect(counts).toContainEqual(expect.objectContaining({ channel: 'mz', matched: 700, sendable: 700, calls: 7 }));
  expect(counts).toContainEqual(
    expect.objectContaining({ channel: 'own', matched: 700, discarded: { 'registration-missing': 24 } }),
  );
  expect(await keysOf()).toEqual(before);
});

it('counts the lanes of a profile together: they share its rates, and wait for the same', async () => {
  const app = await appWith(5001, (n) => ({ vendor: 'mz', registrationId: `r${n}` }));
  const vendor = ({ counts }: PreflightCounts) => counts.filter(({ channel }) => channel === 'mz');
  expect(vendor(await count(app, {}, true))).toEqual([
    expect.objectContaining({ profile: '_default', matched: 5001, sendable: 5001, margin: 0 }),
  ]);
});

const total = (counts: PreflightCounts['counts'], field: 'matched' | 'sendable'): number =>
  counts.reduce((sum, one) => sum + one[field], 0);

function inOrder({ counts }: PreflightCounts): unknown {
  const named = counts
    .filter(({ matched }) => matched !== 0)
    .map(({ margin: _, ...one }) => [`${one.channel}/${one.profile ?? ''} ${Object.keys(one.discarded).join()}`, one]);
  expect(new Set(named.map(([name]) => name)).size).toBe(named.length);
  return Object.fromEntries(named);
}

it('is within the bound that it tells where a sample is looked at', async () => {
  const app = await appWith(3000, (n) => ({ vendor: 'mz', registrationId: `r${n}`, n }));
  const audience = where({ n: { $lt: 1000 } });
  const [walked] = (await count(app, audience, true)).counts.slice(-1);
  expect(walked?.channel).toBe('mz');
  let missed = 0;
  for (let round = 0; round < SAMPLES; round += 1) {
    const asked = question(app, audience, false);
    const sampled = (await countPush({ ...ports(), enoughDevices: 500 }, asked, NO_WALK)).counts;
    const margin = Math.max(...sampled.map((one) => one.margin));
    expect(margin).toBeGreaterThan(0);
    if (Math.abs(total(sampled, 'matched') - 1000) > margin) missed += 1;
  }
  // One of twenty may be beyond it. Of five, three are so once in a thousand runs if the bound is as told, and it is wider.
  expect(missed).toBeLessThanOrEqual(Math.max(2, SAMPLES / 20));
});

it('looks at no more shards than it needs, or has the time for', async () => {
  const app = await appWith(3000, (n) => ({ n }));
  const shards = new Set<number>();
  const { installations } = t.store;
  const walk: typeof installations.walk = (range) => {
    shards.add(range.from.shard);
    return installations.walk(range);
  };
  const store = { ...t.store, installations: { ...installations, walk } };
  const sample = (changes: Partial<CountPorts>) =>
    countPush({ ...ports(), store, ...changes }, question(app, where({ n: { $gte: 0 } }), false), NO_WALK);
  await sample({ enoughDevices: 1 });
  expect(shards.size).toBe(1);
  shards.clear();
  let clock = 0;
  await sample({ now: () => (clock += 1000) });
  expect(shards.size).toBe(1);
});

describe('over the store', () => {
  const failures: unknown[] = [];
  const start = (stopping = new AbortController(), now = Date.now) =>
    startPreflights({ ...t.ports, now, stopping: stopping.signal, onError: (error) => failures.push(error) });
  const told = (id: string) =>
    until(async () => {
      const state = await t.store.preflights.state(id);
      return state?.kind === 'counted' || state?.kind === 'failed' ? state : undefined;
    }) as Promise<PreflightState | undefined>;

  const results = async (): Promise<Record<string, number>> => {
    const { values } = await t.ports.metrics.preflights.get();
    return Object.fromEntries(values.map(({ labels, value }) => [labels.result, value]));
  };

  it('answers each question once, and one that nobody waits for not at all', async () => {
    const app = await appWith(30, (n) => ({ n }));
    const preflights = start();
    const questions = [false, true, true, false].map((isExact) => question(app, where({ n: { $lt: 20 } }), isExact));
    const late = { ...question(app, {}, false), until: Date.now() - 1 };
    for (const one of [late, ...questions]) expect(await t.store.preflights.ask(one)).toBe(true);
    for (const { id } of questions) {
      const state = await told(id);
      expect(state).toMatchObject({ kind: 'counted', app: app.id, frame: { mine: 1 } });
      expect(state?.kind === 'counted' && total(state.counts.counts, 'matched')).toBe(20);
    }
    expect(await t.store.preflights.state(late.id)).toBeUndefined();
    await preflights.stop();
    for (const { id } of questions) await t.store.preflights.forget(id);
    expect((await keysOf()).filter((key) => /preflight/.test(key))).toEqual([]);
    expect(failures).toEqual([]);
  });

  it('refuses walks beyond those of an app that wait, and answers others', async () => {
    const [busy, other] = [await appWith(30, (n) => ({ n })), await appWith(30, (n) => ({ n }))];
    const lease = [`preflight ${busy.id}`, 'another process'] as const;
    await t.store.leases.hold(...lease, 600_000);
    const preflights = start();
    const walks = Array.from({ length: 40 }, () => question(busy, where({ n: 1 }), true));
    for (const one of walks) await t.store.preflights.ask(one);
    const refused = { kind: 'failed', app: busy.id, refusal: expect.stringContaining('2 at once') };
    expect(await told(walks.at(-1)?.id ?? '')).toMatchObject(refused);
    const quick = question(other, where({ n: 1 }), false);
    await t.store.preflights.ask(quick);
    expect(await told(quick.id)).toMatchObject({ kind: 'counted', app: other.id });
    await t.store.leases.release(...lease);
    for (const { id } of walks.slice(0, 2)) expect(await told(id)).toMatchObject({ kind: 'counted' });
    await preflights.stop();
    expect(failures).toEqual([]);
    expect(await results()).toEqual({ answered: 3, refused: 38 });
  });

  it('plans none whose asker went away while it waited for its turn', async () => {
    const app = await appWith(30, (n) => ({ n }));
    const asked = question(app, where({ n: 1 }), false);
    let looks = 0;
    const preflights = start(undefined, () => (looks++ === 0 ? asked.until - 1 : asked.until));
    await t.store.preflights.ask(asked);
    await until(async () => Object.keys(await results()).length > 0);
    await preflights.stop();
    expect(await results()).toEqual({ late: 1 });
    expect(await t.store.preflights.state(asked.id)).toBeUndefined();
  });

  it('tells its asker when it has to stop', async () => {
    const app = await appWith(30, (n) => ({ n }));
    const stopping = new AbortController();
    stopping.abort();
    const preflights = start(stopping);
    const asked = question(app, where({ n: 1 }), true);
    await t.store.preflights.ask(asked);
    expect(await told(asked.id)).toMatchObject({ kind: 'failed', app: app.id });
    await preflights.stop();
    // Whoever was told where to ask may come as late as for an answer.
    const [key = ''] = (await keysOf()).filter((one) => one.includes(asked.id));
    expect(await t.redis.pttl(key)).toBeGreaterThan(500_000);
  });
});
