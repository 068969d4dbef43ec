import { SECRET_KEY, unique } from '@pushfleet/testing';
import { FORMAT } from '../format/migrations';
import type { FleetProcess } from './processes';
import { storeUnderTest } from '../testing/store-under-test';

const t = storeUnderTest();
const board = (): readonly string[] => [t.keys.processes(), `${t.keys.processes()}:facts`];

const aProcess = (changes: Partial<FleetProcess> = {}): FleetProcess => ({
  ...{ id: unique('host-'), role: 'ingress', labels: {}, version: '1.2.3', since: 1_900_000_000_000 },
  ...changes,
});

beforeEach(() => t.redis.del(...board()));

/** Moves the beats of a process into the past, by the clock of Redis. */
async function silence(id: string, ms: number): Promise<void> {
  await t.redis.zincrby(t.keys.processes(), -ms, id);
}

it('every process sees who lives, with role, labels, version, format, key and start', async () => {
  const worker = aProcess({ role: 'channel-worker', labels: { channel: 'hms' } });
  const ingress = aProcess();
  await t.store.processes.beat(ingress);
  await t.open({ secretKey: undefined }).processes.beat(worker);
  const [seen, other, ...rest] = await t.open().processes.list();
  const told = { format: FORMAT, clockAheadMs: expect.any(Number) };
  expect([seen, rest]).toEqual([{ ...worker, ...told }, []]);
  expect(other).toEqual({ ...ingress, ...told, keyId: expect.stringMatching(/^[\w-]{6}$/) });
  expect(JSON.stringify([seen, other])).not.toContain(SECRET_KEY);
});

it.each([0, 300_000, -300_000])(
  'a clock that is %i ms ahead of that of Redis is told with every process',
  async (aheadMs) => {
    await t.open({ now: () => Date.now() + aheadMs }).processes.beat(aProcess());
    const [seen] = await t.store.processes.list();
    expect(Math.abs((seen?.clockAheadMs ?? NaN) - aheadMs)).toBeLessThan(3000);
  },
);

it.each([300_000, -300_000, 86_400_000])(
  'a process whose clock is %i ms ahead of that of Redis goes by the latter once it has told that it lives',
  async (aheadMs) => {
    const { clock, processes } = t.open({ now: () => Date.now() + aheadMs });
    expect([clock.now() - Date.now() - aheadMs, clock.isOff()]).toEqual([expect.closeTo(0, -3), false]);
    await processes.beat(aProcess());
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(3000);
    expect(clock.isOff()).toBe(true);
  },
);

it('a clock that is seconds away is kept, and so is one that was set right', async () => {
  let aheadMs = 4000;
  const { clock, processes } = t.open({ now: () => Date.now() + aheadMs });
  await processes.beat(aProcess());
  expect([clock.now() - Date.now(), clock.isOff()]).toEqual([expect.closeTo(4000, -3), false]);
  aheadMs = 300_000;
  await processes.beat(aProcess());
  aheadMs = 0;
  await processes.beat(aProcess());
  expect([clock.now() - Date.now(), clock.isOff()]).toEqual([expect.closeTo(0, -3), false]);
});

it('one of an earlier build tells no clock', async () => {
  const { id, ...facts } = aProcess();
  await t.redis.zadd(board()[0] ?? '', Date.now(), id);
  await t.redis.hset(board()[1] ?? '', id, JSON.stringify({ id, ...facts }));
  expect(await t.store.processes.list()).toEqual([{ id, ...facts }]);
});

it('one that says no more, or that it leaves, is gone', async () => {
  const [silent, leaving, living] = [aProcess(), aProcess(), aProcess()];
  for (const process of [silent, leaving, living]) await t.store.processes.beat(process);
  await silence(silent.id, 16_000);
  await silence(living.id, 10_000);
  await t.store.processes.leave(leaving.id);
  expect((await t.store.processes.list()).map(({ id }) => id)).toEqual([living.id]);
  await t.store.processes.beat(living);
  expect(await t.redis.hlen(board()[1] ?? '')).toBe(1);
});

it('a fleet that is gone leaves nothing behind', async () => {
  await t.store.processes.beat(aProcess());
  for (const key of board()) {
    const life = await t.redis.pttl(key);
    expect(life).toBeGreaterThan(30_000);
    expect(life).toBeLessThanOrEqual(60_000);
  }
});

it('a crowd that restarts all the time does not fill Redis', async () => {
  const crowd = Array.from({ length: 2000 }, (_, i) => `old-${i}`);
  await t.redis.zadd(t.keys.processes(), ...crowd.flatMap((id, i) => [Date.now() + i, id]));
  await t.redis.hset(board()[1] ?? '', Object.fromEntries(crowd.map((id) => [id, JSON.stringify(aProcess({ id }))])));
  await silence('old-7', 5000);
  await t.store.processes.beat(aProcess());
  const left = new Set((await t.store.processes.list()).map(({ id }) => id));
  expect([left.size, left.has('old-7')]).toEqual([2000, false]);
});

it('a process whose facts are damaged hides no other, and tells them anew with its next beat', async () => {
  const [damaged, other] = [aProcess(), aProcess()];
  for (const one of [damaged, other]) await t.store.processes.beat(one);
  await t.redis.hset(board()[1] ?? '', damaged.id, 'no JSON');
  const ids = async () => (await t.store.processes.list()).map(({ id }) => id).sort();
  expect(await ids()).toEqual([other.id]);
  await t.store.processes.beat(damaged);
  expect(await ids()).toEqual([damaged.id, other.id].sort());
});
