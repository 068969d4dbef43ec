import { setTimeout as delay } from 'node:timers/promises';
import type { BenchFleet } from './bench-fleet';
import { timed, type Benchmark, type BenchOptions, type Figures } from './benchmark';
import { CONNECTIONS, poster, rateOf } from './post-rate';
import { bareRate } from './simulated-vendor';
import { cpuDetails, usageBesideIdle, usageOf } from './usage';

const DEVICES = 1000;
/** Pushes before the clock starts: the compiler of a new process is busy with its code at first. */
const WARM_UP = 5000;
const BATCHES = { pushes: 1000, atOnce: 4 };

/** Pushes that come one by one, so that none shares anything with another. */
const ALONE = { rounds: 10, pushes: 30, apartMs: 20 };

async function apart(count: number, post: (index: number) => Promise<void>): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    await post(i);
    await delay(ALONE.apartMs);
  }
}

async function rates(fleet: BenchFleet, { size, progress }: { size: number; progress: BenchOptions['progress'] }) {
  const app = await fleet.createApp();
  progress(`registering ${DEVICES} installations`);
  const installations = await fleet.register(app, DEVICES);
  const post = poster(fleet, app);
  const textOf = (i: number) => ({
    where: { objectId: installations[i % DEVICES] },
    data: { alert: `Your code is ${100_000 + i}`, order: i },
  });
  const single = (count: number) =>
    rateOf(fleet, count, () => timed(count, CONNECTIONS, (i) => post('/push', textOf(i))));
  const batchOf = (first: number) => ({
    requests: Array.from({ length: BATCHES.pushes }, (_, i) => ({
      method: 'POST',
      path: '/1.1/push',
      body: textOf(first + i),
    })),
  });
  const batches = Math.max(1, Math.floor(size / BATCHES.pushes));
  const batched = () =>
    rateOf(fleet, batches * BATCHES.pushes, () =>
      timed(batches, BATCHES.atOnce, (i) => post('/batch', batchOf(i * BATCHES.pushes))),
    );

  progress(`warming up with ${WARM_UP} pushes`);
  await single(WARM_UP);
  progress('baseline: ready-made single-device bodies');
  const baseline = await bareRate(fleet, { devices: size, batch: 1, connections: CONNECTIONS });
  progress(`${size} pushes with a text of their own`);
  let value = NaN;
  const usage = await usageOf(fleet, size, async () => (value = await single(size)));
  progress(`${ALONE.rounds} times ${ALONE.pushes} pushes one by one`);
  const alone = await usageBesideIdle(fleet, { rounds: ALONE.rounds, count: ALONE.pushes }, () =>
    rateOf(fleet, ALONE.pushes, () => apart(ALONE.pushes, (i) => post('/push', textOf(i)))),
  );
  progress(`the same in bodies of ${BATCHES.pushes}`);
  return { baseline, value, usage, alone, batched: await batched() };
}

async function run(fleet: BenchFleet, { size = 20_000, progress }: BenchOptions): Promise<Figures> {
  const { baseline, value, usage, alone, batched } = await rates(fleet, { size, progress });
  return {
    ratio: value / baseline,
    value,
    baseline,
    config: {
      pushes: size,
      connections: CONNECTIONS,
      warmUp: WARM_UP,
      processes: 'ingress 1, dispatcher 1, worker 1',
    },
    details: {
      'Redis commands a push': usage.commands,
      'scripts a push': usage.scripts,
      ...cpuDetails(usage, 'push'),
      'Redis commands a push that comes alone': alone.commands,
      'scripts a push that comes alone': alone.scripts,
      'pushes/s by /1.1/batch': batched,
      'ratio by /1.1/batch': batched / baseline,
    },
  };
}

export const direct: Benchmark = {
  name: 'direct',
  measures: 'pushes/s of different texts to one device each, from accept to vendor call, against bare vendor calls',
  mustReach: 0.25,
  goal: 0.4,
  unit: 'pushes/s',
  workers: ['hms'],
  run,
};
