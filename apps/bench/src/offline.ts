import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@pushfleet/testing';
import { request } from 'undici';
import { arrivalTimes } from './arrival';
import type { BenchApp, BenchFleet } from './bench-fleet';
import { percentile, timed, type Benchmark, type BenchOptions, type Figures } from './benchmark';

/** The most by which other work may delay an addressed push, as in `priority`. */
const TARGET_MS = 100;
/** The hosted service took so many. */
const MESSAGES_PER_MINUTE = 1800;
/** Of a group of 500 a tenth is offline. */
const RECEIVERS = 50;
const USERS = 5000;
const ARRIVALS = 100;

const userOf = (n: number): string => `user-${n % USERS}`;

/** Binds a user each to the first devices of the app, as a chat server does. */
async function bindUsers({ store }: BenchFleet, app: BenchApp, objectIds: readonly string[]): Promise<void> {
  const found = await store.installations.addressed(app.id, { field: 'objectId', values: objectIds });
  await timed(found.length, 64, async (i) => {
    const installationId = String(found[i]?.installation.installationId);
    await store.messaging.bindings.bind(app.id, { client: userOf(i), installationId });
  });
}

/** Posts offline messages at the hosted rate until it is stopped; each must find all of its receivers. */
function openStream(fleet: BenchFleet, app: BenchApp) {
  const headers = { 'content-type': 'application/json', 'x-lc-id': app.id, 'x-lc-key': `${app.masterKey},master` };
  const answers: number[] = [];
  const pushIds: string[] = [];
  const posting: Promise<void>[] = [];
  const startedAt = performance.now();
  let isStopped = false;

  async function post(n: number): Promise<void> {
    const clients = Array.from({ length: RECEIVERS }, (_, i) => userOf(n * RECEIVERS + i));
    const said = { from_client: 'Tom', message: 'Dinner?', push_data: { alert: `Tom: Dinner? ${n}` } };
    const begunAt = performance.now();
    const answer = await request(
      `${fleet.processes.url('ingress')}/1.2/rtm/conversations/group-${n % 100}/offline-messages`,
      { method: 'POST', headers, body: JSON.stringify({ ...said, offline_clients: clients }), dispatcher: fleet.http },
    );
    const text = await answer.body.text();
    const { objectId, pushed } = JSON.parse(text) as { readonly objectId?: string; readonly pushed?: number };
    if (pushed !== RECEIVERS || objectId === undefined) throw new Error(`${answer.statusCode}: ${text}`);
    answers.push(performance.now() - begunAt);
    pushIds.push(objectId);
  }

  async function run(): Promise<void> {
    for (let n = 0; !isStopped; n += 1) {
      const earlyMs = startedAt + (n * 60_000) / MESSAGES_PER_MINUTE - performance.now();
      if (earlyMs > 0) await delay(earlyMs);
      posting.push(post(n));
    }
    await Promise.all(posting);
  }

  const running = run();
  return {
    /** Resolves once the vendor has everything, with the receivers of a second and the sorted ms of the answers. */
    async stop() {
      isStopped = true;
      await running;
      const last = pushIds.slice(-10);
      const isDone = async (pushId: string): Promise<boolean> =>
        (await fleet.store.pushes.read(pushId))?.status === 'done';
      await until(async () => (await Promise.all(last.map(isDone))).every(Boolean), { timeoutMs: 60_000, everyMs: 20 });
      const seconds = (performance.now() - startedAt) / 1000;
      return {
        receiversPerSecond: (pushIds.length * RECEIVERS) / seconds,
        answers: answers.sort((a, b) => a - b),
        seconds,
      };
    },
  };
}

/** Sorted ms to the vendor call of addressed pushes while campaigns run. */
async function besideCampaigns(
  fleet: BenchFleet,
  app: BenchApp,
  objectIds: readonly string[],
): Promise<readonly number[]> {
  await fleet.resetTraffic();
  const times: number[] = [];
  while (times.length < ARRIVALS) {
    const campaign = await fleet.push(app, { data: { alert: 'campaign' } });
    times.push(...(await arrivalTimes(fleet, app, { objectIds, count: 5, everyMs: 60 })));
    await fleet.done(app, campaign);
  }
  return times.sort((a, b) => a - b);
}

async function run(fleet: BenchFleet, { size = 200_000, progress }: BenchOptions): Promise<Figures> {
  const app = await fleet.createApp();
  progress(`registering ${size} installations, ${USERS} of them of a user`);
  const objectIds = await fleet.register(app, size);
  await bindUsers(fleet, app, objectIds.slice(0, USERS));
  const direct = objectIds.slice(0, 100);
  progress('warming up');
  await arrivalTimes(fleet, app, { objectIds: direct, count: 500, everyMs: 2 });
  for (let i = 0; i < 2; i += 1) await fleet.done(app, await fleet.push(app, { data: { alert: 'warm-up' } }));
  progress('baseline: addressed pushes beside campaigns');
  const without = await besideCampaigns(fleet, app, direct);
  progress('the same beside offline messages');
  const stream = openStream(fleet, app);
  const beside = await besideCampaigns(fleet, app, direct);
  const { receiversPerSecond, answers, seconds } = await stream.stop();
  const value = percentile(beside, 0.5);
  return {
    ratio: TARGET_MS / value,
    value,
    baseline: percentile(without, 0.5),
    config: { campaignDevices: size, messagesPerMinute: MESSAGES_PER_MINUTE, receivers: RECEIVERS, workers: 1 },
    details: {
      'receivers/s': receiversPerSecond,
      'seconds of messages': seconds,
      'answer p50, ms': percentile(answers, 0.5),
      'answer p99, ms': percentile(answers, 0.99),
      'p90 without them': percentile(without, 0.9),
      p90: percentile(beside, 0.9),
      max: percentile(beside, 1),
    },
  };
}

export const offline: Benchmark = {
  name: 'offline',
  measures:
    'ms to the vendor call of an addressed push beside a campaign and 1,800 offline messages a minute, each to 50 users; ratio = 100 ms / p50',
  mustReach: 1,
  goal: 2,
  unit: 'ms (p50)',
  workers: ['hms'],
  sizes: { least: USERS },
  run,
};
