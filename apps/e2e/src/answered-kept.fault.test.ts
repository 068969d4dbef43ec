import { setTimeout as delay } from 'node:timers/promises';
import { CALLS_AT_ONCE, faultScene } from './fault-scene';
import { expectBalanced } from './fleet';

const DEVICES = 300;
const ROUNDS = 4;
const SENDERS = 8;
const AWAY_MS = 300;
const PAUSE_MS = 4;

const scene = faultScene(DEVICES, { args: ['--appendfsync', 'always'] });

interface Answered {
  readonly pushId: string;
  readonly devices: number;
}

/** To everybody now and then, else to one. */
async function pushSome(n: number): Promise<Answered> {
  const isToAll = n % 20 === 0;
  const where = isToAll ? {} : { installationId: `device-${n % DEVICES}` };
  const { objectId } = await scene.fleet.push(scene.app, { where, data: { alert: `push ${n}` } });
  return { pushId: objectId, devices: isToAll ? DEVICES : 1 };
}

test(`with appendfsync always, every push that was answered outlives a Redis killed ${ROUNDS} times (seed ${scene.random.seed})`, async () => {
  const { fleet, app, random } = scene;
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
    const refusedBefore = refused;
    await delay(AWAY_MS);
    while (refused === refusedBefore) await delay(PAUSE_MS);
    await fleet.redis.start();
    while (answered.length === before) await delay(PAUSE_MS);
  }
  isOver = true;
  await Promise.all(senders);

  expect(Math.min(answered.length, refused)).toBeGreaterThanOrEqual(ROUNDS);
  for (const { pushId, devices } of answered) {
    const record = await fleet.done(app, pushId);
    expectBalanced(record);
    expect(record.channels['hms']).toMatchObject({ matched: devices, accepted: devices, outstanding: 0 });
  }
  const { duplicates } = await fleet.traffic('hms');
  expect(duplicates).toBeLessThanOrEqual(ROUNDS * CALLS_AT_ONCE * DEVICES);
});
