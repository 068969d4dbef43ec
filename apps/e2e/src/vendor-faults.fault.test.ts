import { setTimeout as delay } from 'node:timers/promises';
import { registerDevices } from './devices';
import { expectBalanced, Fleet, type DemoApp, type WireRecord } from './fleet';

const DEVICES = 2000;
const OUTAGE_MS = 30_000;
/** The longest pause of a circuit breaker, and room for the call that finds the vendor back. */
const RETURN_MS = 45_000;
const LANES = 8;

let fleet: Fleet;
/** Runs beside the other tests, on a channel of its own: they must not notice. */
let outage: Promise<void>;

beforeAll(async () => {
  fleet = await Fleet.start(['hms', 'mi']);
  outage = away();
  // Whoever awaits it hears of a failure; until then it must not end the process.
  outage.catch(() => undefined);
});

afterAll(() => fleet.stop());

const names = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);
const hms = (n: number, registrationId = `token-${n}`) => ({
  installationId: `device-${n}`,
  vendor: 'HMS',
  registrationId,
});
const appWith = async (devices: Parameters<typeof registerDevices>[2]): Promise<DemoApp> => {
  const app = await fleet.createApp();
  await registerDevices(fleet, app, devices);
  return app;
};
const toAll = async (app: DemoApp, more: object = {}, alert = 'all'): Promise<string> =>
  (await fleet.push(app, { data: { alert }, ...more })).objectId;
const toOne = (app: DemoApp, more: object = {}, alert = 'one'): Promise<string> =>
  toAll(app, { where: { installationId: 'device-7' }, ...more }, alert);

async function doneAndBalanced(app: DemoApp, pushId: string, timeoutMs = 60_000): Promise<WireRecord> {
  const record = await fleet.done(app, pushId, timeoutMs);
  expectBalanced(record);
  return record;
}

async function away(): Promise<void> {
  await fleet.simulator('PUT', '/faults', { channel: 'mi', kind: 'reset' });
  const devices = names(DEVICES).map((n) => ({ ...hms(n), vendor: 'mi' }));
  const app = await appWith(devices);
  const [all, one] = [await toAll(app), await toOne(app)];
  await delay(OUTAGE_MS);
  expect((await fleet.traffic('mi')).devices).toBe(0);
  await fleet.simulator('DELETE', '/faults?channel=mi');
  const records = [await doneAndBalanced(app, all, RETURN_MS), await doneAndBalanced(app, one, RETURN_MS)];
  expect(records.map(({ channels }) => channels['mi']?.accepted)).toEqual([DEVICES, 1]);
  expect(await fleet.traffic('mi')).toMatchObject({ devices: DEVICES + 1, duplicates: 0 });
}

test('a vendor that takes seconds for every call gets everybody, nobody twice', async () => {
  const app = await appWith(DEVICES);
  await fleet.simulator('PUT', '/faults', { channel: 'hms', kind: 'slow', delayMs: 3000, count: LANES + 1 });
  const [all, one] = [await toAll(app), await toOne(app)];
  const records = [await doneAndBalanced(app, all), await doneAndBalanced(app, one)];
  expect(records.map(({ channels }) => channels['hms']?.accepted)).toEqual([DEVICES, 1]);
  expect((await fleet.traffic('hms')).duplicates).toBe(0);
});

test('bad registrations, one in twenty, cost the others nothing and are not sent to again', async () => {
  const bad = DEVICES / 20;
  const app = await appWith(names(DEVICES).map((n) => (n % 20 === 3 ? hms(n, `gone-${n}`) : hms(n))));
  for (const round of ['first', 'second']) {
    const before = await fleet.traffic('hms');
    const record = await doneAndBalanced(app, await toAll(app, {}, round));
    const column = { matched: DEVICES, accepted: DEVICES - bad, discarded: { 'registration-gone': bad } };
    expect(record.channels['hms']).toMatchObject({ ...column, outstanding: 0 });
    const { devices, duplicates } = await fleet.traffic('hms');
    expect([devices - before.devices, duplicates]).toEqual([DEVICES - bad, 0]);
  }
});

/** The vendor's answer to calls whose body contains a text: it refuses the batch as a whole. */
const refuse = (text: string): Promise<unknown> => {
  const body = JSON.stringify({ code: '80300010', msg: 'The number of tokens is illegal', requestId: '' });
  return fleet.simulator('PUT', '/faults', { channel: 'hms', kind: 'answer', body: text, answer: { body } });
};

test('a registration that spoils every batch it is in is found and left out', async () => {
  const app = await appWith(names(DEVICES).map((n) => (n === 1234 ? hms(n, 'poison') : hms(n))));
  await refuse('"poison"');
  const record = await doneAndBalanced(app, await toAll(app));
  expect(record.channels['hms']).toMatchObject({ accepted: DEVICES - 1, discarded: { 'message-rejected': 1 } });
  expect(record.errors).toMatchObject([{ reason: 'message-rejected', count: 1, vendorCode: '80300010' }]);
  expect((await fleet.traffic('hms')).duplicates).toBe(0);
});

test('a message that the vendor refuses for everybody costs few calls', async () => {
  const app = await appWith(DEVICES);
  await refuse('spoiled message');
  const before = await fleet.traffic('hms');
  const all = await doneAndBalanced(app, await toAll(app, {}, 'spoiled message'));
  expect(all.channels['hms']).toMatchObject({ matched: DEVICES, discarded: { 'message-rejected': DEVICES } });
  const after = await fleet.traffic('hms');
  expect(after.devices).toBe(before.devices);
  expect(after.calls - before.calls).toBeLessThanOrEqual(LANES * (2 * Math.log2(DEVICES / LANES) + 5));
  const one = await doneAndBalanced(app, await toOne(app, {}, 'spoiled message'));
  expect(one.channels['hms']).toMatchObject({ matched: 1, discarded: { 'message-rejected': 1 } });
});

test('pushes whose time is over before anybody takes them are booked as expired, and the vendor is not called', async () => {
  const app = await appWith(DEVICES);
  const before = await fleet.traffic('hms');
  await fleet.retire('worker-hms');
  const brief = { expiration_interval: 1 };
  const [all, one] = [await toAll(app, brief), await toOne(app, brief)];
  await delay(1500);
  await fleet.runWorker('hms');
  const records = [await doneAndBalanced(app, all), await doneAndBalanced(app, one)];
  expect(records.map(({ channels }) => channels['hms']?.discarded)).toEqual([{ expired: DEVICES }, { expired: 1 }]);
  expect(await fleet.traffic('hms')).toEqual(before);
});

test('a vendor that was away for half a minute costs nothing but time', () => outage, OUTAGE_MS + 2 * RETURN_MS);
