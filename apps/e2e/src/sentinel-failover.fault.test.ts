import { setTimeout as delay } from 'node:timers/promises';
import {
  connectTestRedis,
  startRedisSentinels,
  until,
  type RedisSentinels,
  type RedisServer,
} from '@pushfleet/testing';
import { registerDevices } from './devices';
import { expectBalanced, expectTold, Fleet, type DemoApp } from './fleet';

const DEVICES = 20_000;
const BATCH = 1000;
const CALLS_AT_ONCE = 8;
const SENDERS = 4;
const PAUSE_MS = 200;
const DOWN_AFTER_MS = 5000;
/** What is promised with this `down-after-milliseconds`. */
const BACK_WITHIN_MS = 15_000;
const SETTINGS = {
  SEND_CONCURRENCY: String(CALLS_AT_ONCE),
  ...{ BULK_LOCK_MS: '1500', REDRIVE_AFTER_MS: '1500', REDRIVE_INTERVAL_MS: '300' },
};

let redis: RedisSentinels;
let fleet: Fleet;
let app: DemoApp;

beforeAll(async () => {
  redis = await startRedisSentinels({ downAfterMs: DOWN_AFTER_MS });
  fleet = await Fleet.on(redis, ['hms'], { settings: SETTINGS });
  app = await fleet.createApp();
  await registerDevices(fleet, app, DEVICES);
});
afterAll(() => fleet.stop(), 60_000);

interface Answered {
  readonly pushId: string;
  readonly askedAt: number;
  readonly answeredAt: number;
}

/** Pushes to single devices, one after the other, until it is stopped. */
function sendOn(): { readonly answered: readonly Answered[]; stop(): Promise<void> } {
  const answered: Answered[] = [];
  let isOver = false;
  const sender = async (first: number): Promise<void> => {
    for (let n = first; !isOver; n += SENDERS) {
      const askedAt = performance.now();
      const where = { installationId: `device-${n % DEVICES}` };
      const sent = await fleet.push(app, { where, data: { alert: `push ${n}` } }).catch(() => undefined);
      if (sent) answered.push({ pushId: sent.objectId, askedAt, answeredAt: performance.now() });
      await delay(PAUSE_MS);
    }
  };
  const senders = Array.from({ length: SENDERS }, (_, n) => sender(n));
  return {
    answered,
    async stop() {
      isOver = true;
      await Promise.all(senders);
    },
  };
}

type Client = Awaited<ReturnType<typeof connectTestRedis>>;

async function ask<T>({ url }: Pick<RedisServer, 'url'>, question: (client: Client) => Promise<T>): Promise<T> {
  const client = await connectTestRedis(url);
  try {
    return await question(client);
  } finally {
    client.disconnect();
  }
}

/** What was written before is at the replica then, too: it takes the writes in their order. */
async function replicateAll(client: Client): Promise<void> {
  await client.set('mark', '1');
  expect(await client.wait(1, 10_000)).toBe(1);
}

const isReplica = (node: RedisServer): Promise<boolean> =>
  ask(node, async (client) => /role:slave[^]*master_link_status:up/.test(await client.info('replication')));

const FAILURES = {
  killed: { take: (node: RedisServer) => node.kill(), giveBack: (node: RedisServer) => node.start() },
  paused: { take: (node: RedisServer) => node.hang(), giveBack: (node: RedisServer) => node.goOn() },
} as const;

test.each(['killed', 'paused'] as const)(
  'a master that is %s gives way to its replica under direct pushes and a campaign: served again in time, nothing lost but the last moment',
  async (how) => {
    await fleet.simulator('DELETE', '');
    await fleet.simulator('PUT', '/faults', { channel: 'hms', kind: 'slow', delayMs: 400 });
    const url = await redis.master();
    const node = redis.nodes.find((one) => one.url === url) ?? redis;
    const direct = sendOn();
    const campaign = await fleet.push(app, { data: { alert: how } });
    await until(async () => (await fleet.traffic('hms')).devices >= BATCH);
    const keptAt = performance.now();
    await ask(node, replicateAll);

    const goneAt = performance.now();
    await FAILURES[how].take(node);
    const again = await until(() => direct.answered.find(({ askedAt }) => askedAt > goneAt));
    expect(again.answeredAt - goneAt).toBeLessThan(BACK_WITHIN_MS);
    const record = await fleet.done(app, campaign.objectId);
    await FAILURES[how].giveBack(node);
    await until(() => isReplica(node), { everyMs: 100 });
    const settledAt = performance.now();
    await until(() => direct.answered.some(({ askedAt }) => askedAt > settledAt));
    await direct.stop();

    expectBalanced(record);
    await expectTold(fleet, app, record);
    expect(record.channels['hms']).toMatchObject({ matched: DEVICES, accepted: DEVICES, outstanding: 0 });
    const { distinctDevices, duplicates } = await fleet.traffic('hms');
    expect(distinctDevices).toBe(DEVICES);
    // Calls in flight, and as many whose fold the replica did not have.
    expect(duplicates).toBeLessThanOrEqual(2 * CALLS_AT_ONCE * BATCH);
    const isKept = ({ askedAt, answeredAt }: Answered): boolean => answeredAt < keptAt || askedAt > goneAt;
    const kept = direct.answered.filter(isKept);
    expect(kept.length).toBeGreaterThan(SENDERS);
    const records = await Promise.all(kept.map(({ pushId }) => fleet.done(app, pushId)));
    for (const { channels } of records)
      expect(channels['hms']).toMatchObject({ matched: 1, accepted: 1, outstanding: 0 });
  },
  240_000,
);
