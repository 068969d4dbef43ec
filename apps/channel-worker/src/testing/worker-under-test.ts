/// <reference types="jest" />
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { channelOfVendor, channels, type ChannelName } from '@pushfleet/channels';
import { simulatorProfiles, simulators } from '@pushfleet/channels/simulators';
import { openTokenCache, type VendorHttp, type VendorRequest } from '@pushfleet/channel-kit';
import { simulatorHttp, type SimulatorHttp } from '@pushfleet/channel-kit/testing';
import { imbalanceOf, type App, type Audience, type ChannelBooks, type PushRecord } from '@pushfleet/domain';
import { bulkQueue, directQueue, openProducer, type ChannelJob, type HeldJob, type Producer } from '@pushfleet/queues';
import { createLogger, openMetrics } from '@pushfleet/service-kit';
import {
  Books,
  openRedis,
  openStore,
  openRoundLimit,
  openTurns,
  SHARDS,
  type NewPush,
  type OutcomeRow,
  type RedisClient,
  type Store,
} from '@pushfleet/store';
import { anApp, outcomeCounts, recordedCounts, redisHarness, SECRET_KEY, unique, until } from '@pushfleet/testing';
import { loadConfig } from '../config';
import { openChannelConsumers, pagesFor } from '../consumers';
import { openDeadlines } from '../deadlines';
import { workerMetrics } from '../metrics';
import { callLimitsFor } from '../pace/call-limits';
import { openPace } from '../pace/open-pace';
import { reporters } from '../report';
import { openSessions } from '../sessions';
import { openShares } from '../shares';
import type { ConsumerPorts } from '../consumers';

const PROFILE = '_default';
const SLICE = 1000;
const SENDS = 4;
const IMPORTED_AT_ONCE = 1000;

interface LaneWish {
  readonly alert?: string;
  readonly lanes?: number;
  readonly expiresInMs?: number;
  readonly audience?: Audience;
  readonly flowControl?: number;
  readonly overBudget?: 'discard';
  /** Plans the page of `pushTo` and carries its job. */
  readonly envelope?: string;
  /** The devices of `pushTo` were found for an audience. */
  readonly forAudience?: boolean;
  /** What the plan counted; absent: nothing. */
  readonly expected?: number;
}

/** A worker with a vendor in the same process, over real Redis. */
export interface WorkerUnderTest {
  readonly app: App;
  readonly namespace: string;
  readonly store: Store;
  readonly http: SimulatorHttp;
  /** Runs before the vendor sees a request; may wait or throw. */
  beforeCall: (request: VendorRequest) => Promise<void>;
  /** Runs after the vendor has answered and before the worker hears of it; may wait or throw. */
  afterCall: (request: VendorRequest) => Promise<void>;
  readonly failures: readonly string[];
  readonly ports: ConsumerPorts;
  readonly jobs: { readonly direct: Producer<ChannelJob>; readonly bulk: Producer<ChannelJob> };
  /** Their objectIds. */
  register(registrationIds: readonly string[]): Promise<readonly string[]>;
  /** A push that nobody has planned. */
  accept(wish?: LaneWish): Promise<string>;
  /** Plans a push to everybody and adds its lanes. */
  pushToAll(wish?: LaneWish): Promise<string>;
  /** Plans a push to some and adds its page. */
  pushTo(objectIds: readonly string[], wish?: LaneWish): Promise<string>;
  /** The column of the channel once the push is done. */
  done(pushId: string, timeoutMs?: number): Promise<ChannelBooks>;
  record(pushId: string): Promise<PushRecord>;
  /** The registrations that the vendor took, as often as it took them. */
  sent(pushId: string): readonly string[];
  /** How many devices a walk would reach. */
  audienceSize(): Promise<number>;
  /** A job as its consumer holds it. */
  held<T>(data: T, lost?: AbortSignal): HeldJob<T>;
  putProfile(value: object): Promise<void>;
  /** Resolves when it knows what was decided about its channel, which breakers are open and how many workers there are. */
  refresh(): Promise<void>;
  /** Resolves when no job of its queues is at work: each of them is done or waits. */
  rests(): Promise<void>;
  /** Puts a text that no key opens in the place of its profile; what it returns puts the profile back. */
  spoilProfile(): Promise<() => Promise<unknown>>;
  /** Puts a push aside, as if its record were still to be written; what it returns puts it back. */
  hidePush(pushId: string): Promise<() => Promise<unknown>>;
  close(): Promise<void>;
}

const fail = (error: Error): never => {
  throw error;
};

/** Call it at the top of a test file; every call of what it returns starts a worker with a vendor and an app of its own. */
export function workersUnderTest(): (
  channelName?: ChannelName,
  /** Shares its queues and its vendor. */
  beside?: WorkerUnderTest,
  /** The ceiling of its calls in flight. */
  sends?: number,
) => Promise<WorkerUnderTest> {
  const harness = redisHarness();
  let redis: RedisClient;
  const workers: WorkerUnderTest[] = [];
  const closeAll = async (): Promise<void> => {
    for (const worker of workers.splice(0)) await worker.close();
  };
  beforeAll(async () => {
    redis = await openRedis({ url: harness.url, patience: 'wait', onError: fail });
    harness.onClose(() => redis.quit());
    harness.onClose(closeAll);
  });
  // Tests that run beside each other are not followed by this; theirs are closed in the end.
  afterEach(closeAll);
  return async (channelName = 'hms', beside = undefined, sends = SENDS) => {
    const namespace = beside?.namespace ?? unique(harness.namespace);
    const worker = await openWorker({ redis, namespace, channelName, vendor: beside?.http, sends });
    workers.push(worker);
    return worker;
  };
}

interface Place {
  readonly redis: RedisClient;
  readonly namespace: string;
  readonly channelName: ChannelName;
  readonly vendor: SimulatorHttp | undefined;
  readonly sends: number;
}

async function openWorker({ redis, namespace, channelName, vendor, sends }: Place): Promise<WorkerUnderTest> {
  const channel = channels[channelName];
  const { maxBatch } = channel.capabilities;
  const env = { CHANNEL: channelName, REDIS_URL: 'redis://127.0.0.1', SECRET_KEY };
  const config = { ...loadConfig(env), SEND_CONCURRENCY: sends, LANE_CONCURRENCY: 2, DIRECT_CONCURRENCY: 4 };
  const store = openStore({ redis, namespace, secretKey: SECRET_KEY, vendors: channelOfVendor });
  const app = anApp();
  await store.apps.create(app);
  const putProfile = (value: object): Promise<void> => {
    const ref = { app: app.id, channel: channelName, profile: PROFILE };
    return store.profiles.put(ref, { value: value as Record<string, string>, receiptKey: 'k' });
  };
  await putProfile(simulatorProfiles[channelName]);

  const http = vendor ?? simulatorHttp(simulators[channelName]({ now: Date.now }));
  const transport: VendorHttp = {
    async request(request) {
      await under.beforeCall(request);
      const answer = await http.request(request);
      await under.afterCall(request);
      return answer;
    },
    close: () => http.close(),
  };
  const tokens = openTokenCache(store.tokens, Date.now);
  const deps = { http: transport, tokens, now: Date.now, origins: channel.endpoints };
  const at = (queue: string) => ({ redis, namespace, queue, onError: fail });
  const direct = openProducer<ChannelJob>(at(directQueue(channelName)));
  const bulk = openProducer<ChannelJob>(at(bulkQueue(channelName)));
  const log = createLogger({ LOG_LEVEL: 'silent', LOG_TO: 'stderr' }, 'test');
  const metrics = workerMetrics(openMetrics('channel-worker'));
  const failures: string[] = [];
  const { signal: never } = new AbortController();
  const sessions = openSessions(channel, store.profiles, deps);
  const onError = (error: unknown): void => void failures.push(String(error));
  const limits = callLimitsFor(config);
  const pace = await openPace({
    limits,
    ...{ store: store.pacing, channel: channelName, maxBatch, longestCallMs: 30_000, sessions, metrics, now: Date.now },
    ...{
      onBreaker: () => undefined,
      onHold: () => undefined,
      onUnreadable: () => metrics.unreadableSecrets.inc({ channel: channelName }),
      onError,
    },
    onLoosened: async () => void (await Promise.all([direct.hurry(), bulk.hurry()])),
  });
  const ports: ConsumerPorts = {
    ...{ pace: pace.gate, store, sessions, channel: channelName, direct, bulk, metrics },
    ...reporters(channelName, metrics, log),
    onBug: onError,
    ...{ cutoff: never, stopping: never, now: Date.now, ingressPublicUrl: 'https://push.example.com' },
    ...{
      maxBatch,
      sliceDevices: SLICE,
      calls: openShares(SENDS),
      limits: limits.bulk,
      pages: openShares(pagesFor(SENDS, maxBatch)),
      lanes: openShares(2),
      deadlines: openDeadlines({ cutoff: never, addressedMs: 10_000, campaignMs: 30_000 }),
      turn: openTurns(),
      begins: openRoundLimit(32),
      window: 3,
    },
  };
  const consumers = openChannelConsumers(ports, { at, config, log, limits });
  const accept = acceptor(store, app);

  const under: WorkerUnderTest = {
    ...{ app, namespace, store, http, failures, ports, putProfile, jobs: { direct, bulk } },
    // Flights overlap and end out of order.
    beforeCall: () => delay(Math.random() * 4),
    afterCall: () => Promise.resolve(),
    accept: (wish = {}) => accept(wish),
    register: (registrationIds) => importAll({ store, app, channelName }, registrationIds),
    async pushToAll(wish = {}) {
      const pushId = await accept(wish);
      const count = wish.lanes ?? 2;
      const lanes = Array.from({ length: count }, (_, i) => ({
        ...{ id: i + 1, channel: channelName, profile: PROFILE, bucket: `${channelName}/${PROFILE}` },
        fromShard: Math.floor((SHARDS * i) / count),
        toShard: Math.floor((SHARDS * (i + 1)) / count),
      }));
      const books = new Books(channelName);
      books.add('expected', wish.expected ?? 0);
      await store.ledger.plan({ pushId, lanes, pages: [], books: [books], now: Date.now() });
      await bulk.add(lanes.map(({ id }) => ({ id: `${pushId}-${id}`, data: { pushId, lane: id } })));
      return pushId;
    },
    async pushTo(objectIds, wish = {}) {
      const pushId = await accept(wish);
      const found = await store.installations.addressed(app.id, { field: 'objectId', values: objectIds });
      const devices = found.map(({ installation }): [string, string] => [
        installation.objectId,
        String(installation['registrationId']),
      ]);
      const { envelope = unique('e'), forAudience = false } = wish;
      const page = { channel: channelName, profile: PROFILE, devices, dueAt: 0, tries: 0, direct: true, forAudience };
      const books = new Books(channelName);
      books.add('matched', devices.length);
      books.add('outstanding', devices.length);
      await store.ledger.plan({ pushId, lanes: [], pages: [{ ...page, envelope }], books: [books], now: Date.now() });
      await direct.add([{ id: `${pushId}-1`, data: { pages: [{ pushId, page: 1 }], envelope } }]);
      return pushId;
    },
    async done(pushId, timeoutMs = 60_000) {
      const column = await until(
        async () => {
          const { status, channels: columns } = await under.record(pushId);
          const books = columns[channelName];
          if (status !== 'done' || !books) throw new Error(JSON.stringify(columns));
          return books;
        },
        { timeoutMs, everyMs: 20 },
      );
      expect([imbalanceOf(column), column.outstanding]).toEqual([0, 0]);
      expect(await toldOf(store, pushId)).toEqual({
        counts: recordedCounts({ [channelName]: column }),
        isComplete: true,
      });
      return column;
    },
    async record(pushId) {
      const record = await store.pushes.read(pushId);
      if (!record) throw new Error(`no record ${pushId}`);
      return record;
    },
    sent: (pushId) => http.sent.flatMap((sent) => (sent.pushId === pushId ? sent.registrationIds : [])),
    async audienceSize() {
      const sizes = await store.installations.sizes(app.id, `${channelName}/${PROFILE}`);
      return sizes.reduce((a, b) => a + b, 0);
    },
    held: (data, lost = never) => ({
      id: unique('j'),
      data,
      addedAt: Date.now(),
      priority: 0,
      lost,
      onProgress: () => undefined,
    }),
    refresh: () => pace.refresh(),
    async rests() {
      const isResting = async (): Promise<boolean> => {
        const depths = await Promise.all([direct.depth(), bulk.depth()]);
        return depths.every(({ active }) => active === 0);
      };
      await until(isResting, { timeoutMs: 20_000 });
    },
    async spoilProfile() {
      const [key, field] = [`${namespace}:profiles:{${app.id}}`, `${channelName}/${PROFILE}`];
      const sealed = (await redis.hget(key, field)) ?? '';
      await redis.hset(key, field, sealed.replace(/^2\.[^.]+/, '2.nobody'));
      return () => redis.hset(key, field, sealed);
    },
    async hidePush(pushId) {
      const record = `${namespace}:p:{p:${Number.parseInt(pushId.slice(-2), 16)}}:${pushId}`;
      const names = [record, `${record}:ledger`];
      for (const name of names) await redis.rename(name, `${name}:aside`);
      return async () => {
        const script = "for _, name in ipairs(KEYS) do redis.call('RENAME', name .. ':aside', name) end";
        await redis.eval(script, names.length, ...names);
      };
    },
    async close() {
      await Promise.all(consumers.map((consumer) => consumer.close()));
      await pace.stop();
      await Promise.all([direct.close(), bulk.close()]);
    },
  };
  return under;
}

/** What is kept of every device of a push, counted as its record counts. */
async function toldOf({ outcomes }: Store, pushId: string) {
  const rows: OutcomeRow[] = [];
  let page = await outcomes.page({ pushIds: [pushId], filter: {}, limit: 5000 });
  rows.push(...page.rows);
  while (page.next) {
    page = await outcomes.page({ pushIds: [pushId], filter: {}, from: page.next, limit: 5000 });
    rows.push(...page.rows);
  }
  return { counts: outcomeCounts(rows), isComplete: page.isComplete };
}

function acceptor(store: Store, { id: app }: App): (wish: LaneWish) => Promise<string> {
  return async ({ alert = 'Hello', expiresInMs = 60_000, audience = {}, flowControl, overBudget }) => {
    const content = { data: { alert, title: 'Greeting' }, sections: {} };
    const times = { pushTime: Date.now(), expiresAt: Date.now() + expiresInMs, isScheduled: false };
    const push: NewPush = { app, content, audience, where: {}, prod: 'prod', flowControl, overBudget, ...times };
    const [accepted] = await store.acceptPushes([push]);
    return accepted?.pushId ?? '';
  };
}

/** Takes a quarter of the time of saving them. */
async function importAll(
  { store, app, channelName }: { store: Store; app: App; channelName: ChannelName },
  registrationIds: readonly string[],
): Promise<readonly string[]> {
  const { vendor } = channels[channelName];
  const rows = registrationIds.map((registrationId) => ({
    objectId: randomBytes(12).toString('hex'),
    doc: { deviceType: 'android', installationId: `i-${registrationId}`, vendor, registrationId },
  }));
  for (let first = 0; first < rows.length; first += IMPORTED_AT_ONCE)
    await store.installations.import(app.id, rows.slice(first, first + IMPORTED_AT_ONCE));
  return rows.map(({ objectId }) => objectId);
}
