import { setTimeout as delay } from 'node:timers/promises';
import { registerDevices } from './devices';
import { expectBalanced, Fleet, type DemoApp } from './fleet';
import { faultRandom } from './fault-random';

const DEVICES = 300;
const ROUNDS = 4;
const SENDERS = 8;
const AWAY_MS = 300;
const PAUSE_MS = 4;
const SEND_CONCURRENCY = 8;

const random = faultRandom();
let fleet: Fleet;
let app: DemoApp;

beforeAll(async () => {
  const sending = { SEND_CONCURRENCY: String(SEND_CONCURRENCY), BULK_LOCK_MS: '1500' };
  const settings = { ...sending, REDRIVE_AFTER_MS: '1500', REDRIVE_INTERVAL_MS: '300' };
  fleet = await Fleet.start(['hms'], settings, { args: ['--appendfsync', 'always'] });
  app = await fleet.createApp();
  await registerDevices(fleet, app, DEVICES);
}, 60_000);

afterAll(() => fleet.stop());

interface Answered {
  readonly pushId: string;
  readonly devices: number;
}

/** To everybody now and then, else to one. */
async function pushSome(n: number): Promise<Answered> {
  const isToAll = n % 20 === 0;
  const where = isToAll ? {} : { installationId: `device-${n % DEVICES}` };
  const { objectId } = await fleet.push(app, { where, data: { alert: `push ${n}` } });
  return { pushId: objectId, devices: isToAll ? DEVICES : 1 };
}

test(`with appendfsync always, every push that was answered outlives a Redis killed ${ROUNDS} times (seed ${random.seed})`, async () => {
  const answered: Answered[] = [];
  let refused = 0;
  let isOver = false;
  const sender = async (first: number): Promise<void> => {
    for (let n = first; !isOver; n += SENDERS) {
      const sent = await pushSome(n).catch(() => undefined);
      if (sent) answered.push(sent);
      else refused += 1;
      await delay(PAUSE_MS);
    }
  };
  const senders = Array.from({ length: SENDERS }, (_, n) => sender(n));
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = answered.length;
    await delay(random.between(100, 400));
    await fleet.redis.kill();
    await delay(AWAY_MS);
    await fleet.redis.start();
    while (answered.length === before) await delay(PAUSE_MS);
  }
  isOver = true;
  await Promise.all(senders);

  expect(Math.min(answered.length, refused)).toBeGreaterThan(ROUNDS);
  for (const { pushId, devices } of answered) {
    const record = await fleet.done(app, pushId, 30_000);
    expectBalanced(record);
    expect(record.channels['hms']).toMatchObject({ matched: devices, accepted: devices, outstanding: 0 });
  }
  const { duplicates } = await fleet.traffic('hms');
  expect(duplicates).toBeLessThanOrEqual(ROUNDS * SEND_CONCURRENCY * DEVICES);
}, 120_000);
