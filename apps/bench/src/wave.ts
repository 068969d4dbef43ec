import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { arrivalTimes } from './arrival';
import { anInstallation, type BenchApp, type BenchFleet } from './bench-fleet';
import { percentile, timed, type Benchmark, type BenchOptions, type Figures } from './benchmark';

/** Devices whose owners open the app after a campaign. */
const SAVES = { perSecond: 1000, atOnce: 128 };
/** Rounds are short: the simulated vendor keeps its last thousand messages only. */
const PUSHES = { perSecond: 50, perRound: 500 };
const WARM_UP = 3000;
/** How many times longer a push may take during the wave. */
const ALLOWED = 2;

interface Device {
  readonly objectId: string;
  /** What the app on the device saves at each start. */
  readonly body: string;
}

async function devicesOf(fleet: BenchFleet, app: BenchApp, count: number): Promise<readonly Device[]> {
  const devices: Device[] = [];
  while (devices.length < count) {
    const rows = Array.from({ length: Math.min(5000, count - devices.length) }, anInstallation);
    await fleet.store.installations.import(app.id, rows);
    for (const { objectId, doc } of rows) {
      const { createdAt: _, updatedAt: __, ...body } = doc;
      devices.push({ objectId, body: JSON.stringify(body) });
    }
  }
  return devices;
}

interface Wave {
  /** Answers other than that of a save. */
  refused: number;
  seconds: number;
}

/** Every device saves itself unchanged, at the rate of `SAVES`. */
async function saveAll({ processes, http }: BenchFleet, app: BenchApp, devices: readonly Device[]): Promise<Wave> {
  const headers = { 'content-type': 'application/json', 'x-lc-id': app.id, 'x-lc-key': app.key };
  const url = `${processes.url('ingress')}/1.1/installations`;
  const begunAt = performance.now();
  let refused = 0;
  const seconds = await timed(devices.length, SAVES.atOnce, async (i) => {
    const earlyMs = begunAt + (i * 1000) / SAVES.perSecond - performance.now();
    if (earlyMs > 0) await delay(earlyMs);
    const body = devices[i]?.body ?? '';
    const answer = await request(url, { method: 'POST', headers, body, dispatcher: http });
    await answer.body.text();
    if (answer.statusCode !== 201) refused += 1;
  });
  return { refused, seconds };
}

async function run(fleet: BenchFleet, { size = 200_000, progress }: BenchOptions): Promise<Figures> {
  const app = await fleet.createApp();
  progress(`registering ${size} installations`);
  const devices = await devicesOf(fleet, app, size);
  const objectIds = devices.slice(0, 1000).map(({ objectId }) => objectId);
  const round = { objectIds, count: PUSHES.perRound, everyMs: 1000 / PUSHES.perSecond };
  progress('warming up');
  await saveAll(fleet, app, devices.slice(0, WARM_UP));
  await arrivalTimes(fleet, app, { objectIds, count: PUSHES.perRound, everyMs: 2 });
  progress(`baseline: ${PUSHES.perSecond} pushes a second alone, and a campaign behind them`);
  const alone = await arrivalTimes(fleet, app, round);
  await fleet.done(app, await fleet.push(app, { data: { alert: 'campaign' } }));
  progress(`${size} devices save, ${SAVES.perSecond} a second, beside the same pushes`);
  let isOver = false;
  const wave = saveAll(fleet, app, devices).finally(() => (isOver = true));
  const beside: number[] = [];
  while (!isOver) beside.push(...(await arrivalTimes(fleet, app, round)));
  const { refused, seconds } = await wave;
  const value = percentile(
    beside.sort((a, b) => a - b),
    0.99,
  );
  const baseline = percentile(alone, 0.99);
  return {
    ratio: (ALLOWED * baseline) / value,
    value,
    baseline,
    config: {
      devices: size,
      savesPerSecond: SAVES.perSecond,
      pushesPerSecond: PUSHES.perSecond,
      ingressProcesses: 1,
    },
    details: {
      'saves refused': refused,
      'saves/s': size / seconds,
      'p50 alone': percentile(alone, 0.5),
      'p50 beside': percentile(beside, 0.5),
    },
  };
}

export const wave: Benchmark = {
  name: 'wave',
  measures:
    'ms to the vendor call (p99) while devices save by thousands behind a campaign; ratio = twice that alone / it',
  mustReach: 1,
  goal: 1.5,
  unit: 'ms (p99)',
  workers: ['hms'],
  run,
};
