import { LIMITS } from '@pushfleet/domain';
import { unique } from '@pushfleet/testing';
import { storeUnderTest } from '../testing/store-under-test';
import type { RetiredPage } from './retired';

const t = storeUnderTest();

async function saved(app: string, registrationId = unique('r')): Promise<{ objectId: string; registrationId: string }> {
  const body = { deviceType: 'android', vendor: 'HMS', registrationId, installationId: `i-${registrationId}` };
  const { installation } = (await t.store.installations.save({ app, body, now: t.clock.now() })) ?? {};
  return { objectId: installation?.objectId ?? '', registrationId };
}

const read = (app: string, more: { since?: number; after?: string; limit?: number } = {}): Promise<RetiredPage> =>
  t.store.installations.retired({ app, since: 0, limit: 100, ...more });

/** As if everything of the log had been noted so long ago. */
const aged = (app: string, ms: number): Promise<unknown> => t.redis.eval(AGED, 1, t.keys.retired(app), ms);
const AGED = `local all = redis.call('XRANGE', KEYS[1], '-', '+')
redis.call('DEL', KEYS[1])
for _, entry in ipairs(all) do
  local ms, place = entry[1]:match('(%d+)-(%d+)')
  redis.call('XADD', KEYS[1], string.format('%d-%s', ms - ARGV[1], place), unpack(entry[2]))
end`;

test('tells each registration that was retired, and what is there now', async () => {
  const app = unique('app');
  const devices = [await saved(app), await saved(app), await saved(app)];
  const { installations } = t.store;
  const [kept, renewed, gone] = devices.map(({ objectId }) => objectId) as [string, string, string];
  for (const device of devices) expect(await installations.retire(app, device)).toBe(true);
  // A second word of the vendor, and one about an address that the device has left, retire nothing.
  for (const registrationId of [devices[0]?.registrationId ?? '', 'older'])
    expect(await installations.retire(app, { objectId: kept, registrationId })).toBe(false);
  await installations.save({ app, objectId: renewed, body: { registrationId: unique('r') }, now: t.clock.now() });
  await installations.remove(app, gone);
  await aged(app, 10_000);
  const { retired, isComplete, next } = await read(app);
  const same = { channel: 'hms', reason: 'registration-gone', at: expect.any(Number) };
  expect(retired).toEqual([
    { ...same, objectId: kept, now: 'retired', installationId: expect.any(String), ...devices[0] },
    { ...same, objectId: renewed, now: 'renewed', installationId: expect.any(String) },
    { ...same, objectId: gone, now: 'gone' },
  ]);
  expect([isComplete, next]).toEqual([true, undefined]);
  expect((await read(unique('app'))).retired).toEqual([]);
});

/** A note whose registration is not taken out. */
const noteAt = (app: string, objectId: string, at: number): Promise<unknown> =>
  t.redis.xadd(t.keys.retired(app), `${at}-0`, 'of', `${objectId} hms`);

test('one that is noted and not taken out yet ends the answer, so that whoever goes on from there learns of it', async () => {
  const app = unique('app');
  const [first, late, last] = [await saved(app), await saved(app), await saved(app)];
  const told = async (since = 0, limit = 100) => {
    const { retired, next } = await read(app, { since, limit });
    return { of: retired.map(({ objectId, now }) => `${objectId} ${now}`), next };
  };
  await t.store.installations.retire(app, first);
  // From the clock of the day after tomorrow, it is noted just now however long the test takes.
  await noteAt(app, late.objectId, Date.now() + 2 * 86_400_000);
  await t.store.installations.retire(app, last);
  expect(await told()).toEqual({ of: [`${first.objectId} retired`], next: undefined });
  expect(await told(0, 2)).toEqual({ of: [`${first.objectId} retired`], next: undefined });
  await t.redis.del(t.keys.retired(app));
  await noteAt(app, late.objectId, Date.now() - 10_000);
  expect(await told()).toEqual({ of: [`${late.objectId} renewed`], next: undefined });
  await t.redis.del(t.keys.retired(app));
  await t.store.installations.retire(app, late);
  expect(await told()).toEqual({ of: [`${late.objectId} retired`], next: undefined });
});

test('a registration that several days of doubtful words retire is told once it is retired', async () => {
  const app = unique('app');
  const device = await saved(app);
  const day = 86_400_000;
  for (let n = 1; n <= 5; n += 1) {
    expect((await read(app)).retired).toEqual([]);
    await t.store.installations.strike(app, { ...device, now: n * day });
  }
  expect((await read(app)).retired).toEqual([expect.objectContaining({ objectId: device.objectId, now: 'retired' })]);
});

test('comes by pages and from a time on', async () => {
  const app = unique('app');
  const devices = [];
  for (let n = 0; n < 7; n += 1) devices.push(await saved(app));
  for (const device of devices) await t.store.installations.retire(app, device);
  const seen: string[] = [];
  for (let after: string | undefined, isOver = false; !isOver;) {
    const page = await read(app, { limit: 3, ...(after === undefined ? {} : { after }) });
    seen.push(...page.retired.map(({ objectId }) => objectId));
    [after, isOver] = [page.next, page.next === undefined];
  }
  expect(seen).toEqual(devices.map(({ objectId }) => objectId));
  const { retired } = await read(app);
  const since = retired[4]?.at ?? 0;
  const later = await read(app, { since });
  expect(later.retired).toEqual(retired.filter(({ at }) => at >= since));
  expect((await read(app, { since: (retired.at(-1)?.at ?? 0) + 1 })).retired).toEqual([]);
});

/** Many that were noted at a time. */
const noted = (log: string, at: number, count: number): Promise<unknown> =>
  t.redis.eval(NOTED, 1, log, count, `${at}-*`, `${'a'.repeat(32)} hms`);
const NOTED = `for _ = 1, ARGV[1] do redis.call('XADD', KEYS[1], ARGV[2], 'of', ARGV[3]) end`;

test('about so many are kept, and whoever asks for those that had to go is told', async () => {
  const app = unique('app');
  const log = t.keys.retired(app);
  const [now, most] = [Date.now(), LIMITS.retiredKept.value];
  await noted(log, now - 90_000, 500);
  await noted(log, now - 60_000, most);
  expect((await read(app, { since: now - 80_000, limit: 1 })).isComplete).toBe(true);
  const device = await saved(app);
  await t.store.installations.retire(app, device);
  expect(await t.redis.xlen(log)).toBeLessThan(most + 500);
  expect((await read(app, { since: now - 120_000, limit: 1 })).isComplete).toBe(false);
  expect(await read(app, { since: now - 30_000 })).toMatchObject({
    retired: [expect.objectContaining({ objectId: device.objectId })],
  });
  const bytes = Number(await t.redis.memory('USAGE', log, 'SAMPLES', 0));
  expect(bytes / most).toBeLessThan(70);
});

test('they are kept for so long', async () => {
  const app = unique('app');
  const log = t.keys.retired(app);
  const ms = LIMITS.retiredKeptMs.value;
  await noted(log, Date.now() - ms - 60_000, 500);
  await t.store.installations.retire(app, await saved(app));
  expect(await t.redis.xlen(log)).toBeLessThan(500);
  expect(await t.redis.pttl(log)).toBeGreaterThan(ms / 2);
});
