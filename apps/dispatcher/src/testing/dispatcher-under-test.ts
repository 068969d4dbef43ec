/// <reference types="jest" />
import { channelNames, channelOfVendor, channels } from '@pushfleet/channels';
import { simulatorProfiles } from '@pushfleet/channels/simulators';
import type { AppWithKeys, JsonObject } from '@pushfleet/domain';
import { OWN_CHANNEL } from '@pushfleet/domain';
import {
  openProducer,
  PUSH_REQUESTS,
  PUSH_SCHEDULE,
  type Envelope,
  type Producer,
  type QueueLocation,
} from '@pushfleet/queues';
import { FairGate, openMetrics } from '@pushfleet/service-kit';
import { openRedis, openStore, type NewPush, type PushRecords, type RedisClient, type Store } from '@pushfleet/store';
import { anApp, redisHarness, SECRET_KEY, unique } from '@pushfleet/testing';
import { openAttempt } from '../attempts';
import { openChannelQueues } from '../channel-queues';
import { dispatcherMetrics } from '../metrics';
import type { RedrivePorts } from '../redrive';
import type { DispatchPorts } from '../dispatch';

/** What a dispatcher works with, over real Redis; a new one for every test. */
export interface DispatcherUnderTest {
  ports: DispatchPorts & RedrivePorts;
  store: Store;
  redis: RedisClient;
  readonly failures: string[];
  /** An app with hybrid push on and a profile for each of these channels. */
  createApp(profiles?: readonly (keyof typeof simulatorProfiles)[]): Promise<AppWithKeys>;
  register(app: AppWithKeys, devices: readonly JsonObject[]): Promise<readonly string[]>;
  accept(app: AppWithKeys, changes?: Partial<NewPush>): Promise<string>;
  record(pushId: string): Promise<NonNullable<Awaited<ReturnType<PushRecords['read']>>>>;
  /** The data of a job, parsed; undefined when there is none. */
  job(queue: string, id: string): Promise<unknown>;
  jobsIn(queue: string): Promise<number>;
  /** Takes all of a queue away, as a Redis does that lost its newest writes. */
  lose(queue: string): Promise<void>;
  readonly givenUp: string[];
  /** Makes a field of a push's record unreadable. */
  spoil(pushId: string, field?: string): Promise<void>;
  /** Puts something of another type where the list of an app's pushes was. */
  spoilList(app: string): Promise<void>;
  /** The same with the record of a push. */
  spoilRecord(pushId: string): Promise<void>;
  /** The same with the list of texts of the own channel that a push is in. */
  spoilTexts(pushId: string): Promise<void>;
  /** Makes unreadable how far the deletion of an app is. */
  spoilPurge(app: string): Promise<void>;
  /** Makes the record of an app unreadable. */
  spoilApp(app: string): Promise<void>;
  /** Makes a shard of an app's installations be none. */
  spoilShard(app: string): Promise<void>;
  ledgerKey(pushId: string): string;
  /** The store of a process of this fleet whose clock is so far ahead. */
  storeAhead(ms: number): Promise<Store>;
  /** Where this fleet's queues are. */
  at(queue: string): QueueLocation;
}

export const fail = (error: unknown): never => {
  throw error;
};

/** Of periodic work that must not fail for anybody. */
export const attempt = openAttempt(fail);

/** Call it at the top of a test file. */
export function dispatcherUnderTest(): DispatcherUnderTest {
  const harness = redisHarness();
  const under = { failures: [] as string[], givenUp: [] as string[] } as unknown as DispatcherUnderTest;
  const produced = new Map<string, Producer<never>>();
  let namespace = harness.namespace;
  beforeAll(async () => {
    under.redis = await openRedis({ url: harness.url, patience: 'wait', onError: fail });
    harness.onClose(() => under.redis.quit());
  });
  // A fleet of its own for every test: the re-driver would look at the pushes of the others.
  beforeEach(() => {
    const { redis } = under;
    namespace = unique(harness.namespace);
    const store = openStore({ redis, namespace, secretKey: SECRET_KEY, vendors: channelOfVendor });
    const produce = <T>(queue: string): Producer<T> => {
      const producer = openProducer<T>(under.at(queue));
      produced.set(queue, producer);
      return producer;
    };
    Object.assign(under, {
      store,
      ports: {
        store,
        queues: openChannelQueues([...channelNames, OWN_CHANNEL], produce),
        turns: new FairGate({ atOnce: 4, perAccount: 2 }),
        traits: new Map(Object.values(channels).map(({ name, capabilities }) => [name, capabilities])),
        metrics: dispatcherMetrics(openMetrics('dispatcher')),
        now: Date.now,
        requests: produce<Envelope>(PUSH_REQUESTS),
        schedule: produce<Envelope>(PUSH_SCHEDULE),
        onFailure: (error: unknown, pushId: string) => void under.failures.push(`${pushId}: ${String(error)}`),
        onGivenUp: (_: unknown, pushId: string) => void under.givenUp.push(pushId),
      },
    });
  });
  afterEach(async () => {
    await Promise.all([...produced.values()].map((producer) => producer.close()));
    produced.clear();
    under.failures.length = under.givenUp.length = 0;
  });
  const pushPrefix = (pushId: string): string => `${namespace}:p:{p:${Number.parseInt(pushId.slice(-2), 16)}}:`;
  const recordKey = (pushId: string): string => pushPrefix(pushId) + pushId;
  const prefix = (queue: string): string => `${namespace}:{${queue}}:${queue}`;
  return Object.assign(under, {
    async storeAhead(ms: number) {
      const now = (): number => Date.now() + ms;
      const store = openStore({ redis: under.redis, namespace, secretKey: SECRET_KEY, vendors: channelOfVendor, now });
      await store.processes.beat({ id: unique('p'), role: 'dispatcher', labels: {}, version: '1.2.3', since: now() });
      return store;
    },
    async createApp(profiles: readonly (keyof typeof simulatorProfiles)[] = ['hms', 'mi', 'mz']) {
      const app = anApp();
      await under.store.apps.create(app);
      for (const channel of profiles) {
        const stored = { value: simulatorProfiles[channel], receiptKey: unique('k') };
        await under.store.profiles.put({ app: app.id, channel, profile: '_default' }, stored);
      }
      return app;
    },
    register: (app: AppWithKeys, devices: readonly JsonObject[]) =>
      Promise.all(
        devices.map(async (device) => {
          const body = { deviceType: 'android', installationId: unique('i'), ...device };
          const saved = await under.store.installations.save({ app: app.id, body, now: Date.now() });
          return saved?.installation.objectId ?? '';
        }),
      ),
    async accept(app: AppWithKeys, changes: Partial<NewPush> = {}) {
      const content = { data: { alert: 'x' }, sections: {} };
      const times = { pushTime: Date.now(), expiresAt: Date.now() + 3_600_000, isScheduled: false };
      const push = { app: app.id, content, audience: {}, where: {}, prod: 'prod' as const, ...times, ...changes };
      const [accepted] = await under.store.acceptPushes([push]);
      return accepted?.pushId ?? '';
    },
    async record(pushId: string) {
      const record = await under.store.pushes.read(pushId);
      if (!record) throw new Error(`no record ${pushId}`);
      return record;
    },
    async job(queue: string, id: string) {
      const text = await under.redis.hget(`${prefix(queue)}:${id}`, 'data');
      return text === null ? undefined : (JSON.parse(text) as unknown);
    },
    async jobsIn(queue: string) {
      const depth = (await produced.get(queue)?.depth()) ?? {};
      return Object.values(depth).reduce((a, b) => a + b, 0);
    },
    async spoil(pushId: string, field = 'audience') {
      await under.redis.hset(recordKey(pushId), field, '{');
    },
    async spoilList(app: string) {
      await under.redis.set(`${namespace}:pushes:{${app}}`, 'no list');
    },
    async spoilRecord(pushId: string) {
      await under.redis.set(recordKey(pushId), 'no record');
    },
    async spoilTexts(pushId: string) {
      await under.redis.set(`${pushPrefix(pushId)}own-texts`, 'no list');
    },
    async spoilPurge(app: string) {
      await under.redis.hset(`${namespace}:purges:{${namespace}:apps}`, app, '{');
    },
    async spoilApp(app: string) {
      await under.redis.hset(`${namespace}:apps`, app, '{');
    },
    async spoilShard(app: string) {
      await under.redis.set(`${namespace}:i:{${app}:3}:rec`, 'no installations');
    },
    at: (queue: string) => ({ redis: under.redis, namespace, queue, onError: fail }),
    ledgerKey: (pushId: string) => `${recordKey(pushId)}:ledger`,
    async lose(queue: string) {
      const [wait, delayed] = await Promise.all([
        under.redis.lrange(`${prefix(queue)}:wait`, 0, -1),
        under.redis.zrangebyscore(`${prefix(queue)}:delayed`, '-inf', '+inf'),
      ]);
      const lists = ['wait', 'delayed', 'marker'];
      const keys = [...lists, ...wait, ...delayed].map((name) => `${prefix(queue)}:${name}`);
      await under.redis.del(...keys);
    },
  });
}
