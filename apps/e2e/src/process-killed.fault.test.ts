import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@pushfleet/testing';
import { faultRounds } from './fault-rounds';
import { faultScene } from './fault-scene';
import { expectBalanced } from './fleet';

const DEVICES = 300;
const ROUNDS = faultRounds(0.3);
const PUSHES = 40;
const SENDERS = 8;
const TEAMS = 3;

const scene = faultScene(
  Array.from({ length: DEVICES }, (_, n) => ({
    ...{ installationId: `device-${n}`, vendor: 'HMS', registrationId: `token-${n}` },
    channels: [`user-${n}`, `team-${n % TEAMS}`],
  })),
);

beforeEach(() => scene.fleet.simulator('DELETE', ''));

interface Sent {
  readonly pushId: string;
  readonly devices: number;
}

/** To everybody, to two, to one; to the channels of two, or to one of a hundred. */
async function pushSome(i: number): Promise<Sent> {
  if (i % 5 > 2) return pushToChannels(i);
  const named = [`device-${i % DEVICES}`, `device-${(i + 1) % DEVICES}`].slice(0, i % 5);
  const where = named.length === 0 ? {} : { installationId: { $in: named } };
  const { objectId } = await scene.fleet.push(scene.app, { where, data: { alert: `push ${i}` } });
  return { pushId: objectId, devices: named.length === 0 ? DEVICES : named.length };
}

async function pushToChannels(i: number): Promise<Sent> {
  const isTeam = i % 5 === 4;
  const channels = isTeam ? [`team-${i % TEAMS}`] : [`user-${i % DEVICES}`, `user-${(i + 1) % DEVICES}`];
  const { objectId } = await scene.fleet.push(scene.app, { channels, data: { alert: `push ${i}` } });
  return { pushId: objectId, devices: isTeam ? DEVICES / TEAMS : channels.length };
}

/** Every one of these is done and reached everybody, and nobody got one twice. */
async function expectAllSentOnce(pushes: readonly Sent[]): Promise<void> {
  const { fleet, app } = scene;
  for (const { pushId, devices } of pushes) {
    const record = await fleet.done(app, pushId);
    expectBalanced(record);
    expect(record.channels['hms']).toMatchObject({ matched: devices, accepted: devices });
  }
  // One process has calls under way, too, when it is killed: the compact suite counts what it repeats.
  if (!fleet.isOneProcess) expect((await fleet.traffic('hms')).duplicates).toBe(0);
}

/** Undefined for a push that got no answer, as only a killed ingress may leave it. */
const answeredBy = (push: Promise<Sent>): Promise<Sent | undefined> =>
  push.catch((error: unknown) => {
    if (scene.fleet.isOneProcess) return undefined;
    throw error;
  });

test(`a dispatcher killed at ${ROUNDS} random moments loses no push and doubles none (seed ${scene.random.seed})`, async () => {
  const { fleet, random } = scene;
  const pushes: Sent[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const posting = Promise.all(Array.from({ length: PUSHES }, (_, i) => answeredBy(pushSome(i))));
    await delay(random.between(0, 120));
    await fleet.service('dispatcher').stop('SIGKILL');
    await fleet.run('dispatcher');
    pushes.push(...(await posting).filter((sent) => sent !== undefined));
  }
  await expectAllSentOnce(pushes);
}, 3_600_000);

test(`every push that an ingress answered before it was killed is done (seed ${scene.random.seed})`, async () => {
  const { fleet, random } = scene;
  const answered: Sent[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    let isUp = true;
    const sender = async (first: number): Promise<void> => {
      for (let i = first; isUp; i += SENDERS) {
        const sent = await pushSome(i).catch(() => undefined);
        if (sent) answered.push(sent);
      }
    };
    const before = answered.length;
    const senders = Array.from({ length: SENDERS }, (_, i) => sender(i));
    await until(() => answered.length > before);
    await delay(random.between(0, 120));
    await fleet.service('ingress').stop('SIGKILL');
    isUp = false;
    await Promise.all(senders);
    await fleet.run('ingress');
  }
  expect(answered.length).toBeGreaterThanOrEqual(ROUNDS);
  await expectAllSentOnce(answered);
}, 3_600_000);
