import { setTimeout as delay } from 'node:timers/promises';
import { channelNames } from '@pushfleet/channels';
import { OWN_CHANNEL } from '@pushfleet/domain';
import type { RedisClient } from '@pushfleet/store';
import { peakMb, residentMb, type BenchApp, type BenchFleet } from './bench-fleet';
import { medianOf, type Benchmark, type BenchOptions, type Figures } from './benchmark';
import { pushToAll } from './fanout';

const CHANNELS = [...channelNames, OWN_CHANNEL];
const WARM_UP_PUSHES = 4;
const TURNS = 7;
const STARTS = 5;
/** What a start leaves behind is collected by then. */
const IDLE_MS = 60_000;

interface Crowd {
  readonly fleet: BenchFleet;
  readonly app: BenchApp;
}

interface Memory {
  readonly process: number;
  readonly redis: number;
}

async function run(separate: BenchFleet, { size = 200_000, openFleet, progress }: BenchOptions): Promise<Figures> {
  const one = await openFleet(CHANNELS, 'compact');
  progress('one process: starts, and a minute without work');
  const readyMs = await startsOf(one);
  await delay(IDLE_MS);
  const idle = await memoryOf(one, residentMb);
  progress(`registering ${size} installations in either fleet, and warming up`);
  const crowds = { compact: await crowdOf(one, size), separate: await crowdOf(separate, size) };
  progress(`${TURNS} pushes in turns`);
  const compactSpeeds: number[] = [];
  const separateSpeeds: number[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    compactSpeeds.push(await speedOf(crowds.compact, size));
    separateSpeeds.push(await speedOf(crowds.separate, size));
  }
  const peak = await memoryOf(one, peakMb);
  return {
    ratio: medianOf(compactSpeeds.map((speed, turn) => speed / (separateSpeeds[turn] ?? NaN))),
    value: medianOf(compactSpeeds),
    baseline: medianOf(separateSpeeds),
    config: { devices: size, channels: CHANNELS.length, turns: TURNS, warmUpPushes: WARM_UP_PUSHES },
    details: {
      readyMs: medianOf(readyMs),
      slowestReadyMs: Math.max(...readyMs),
      idleMb: idle.process,
      idleRedisMb: idle.redis,
      peakMb: peak.process,
      peakRedisMb: peak.redis,
      separatePeakMb: peakOfAll(separate),
    },
  };
}

/** Milliseconds from nothing to where all roles serve. */
async function startsOf({ processes }: BenchFleet): Promise<readonly number[]> {
  const took: number[] = [];
  for (let i = 0; i < STARTS; i += 1) {
    await processes.service('fleet').stop();
    const startedAt = performance.now();
    await processes.run('fleet');
    took.push(performance.now() - startedAt);
  }
  return took;
}

async function memoryOf({ processes, redis }: BenchFleet, megabytes: (pid: number) => number): Promise<Memory> {
  return { process: megabytes(processes.service('fleet').pid), redis: megabytes(await pidOf(redis)) };
}

const pidOf = async (redis: RedisClient): Promise<number> =>
  Number(/^process_id:(\d+)/m.exec(await redis.info('server'))?.[1]);

/** Of all processes of the fleet, what they share counted in each. */
const peakOfAll = ({ processes }: BenchFleet): number =>
  [...processes.running].filter(([name]) => name !== 'simulator').reduce((sum, [, { pid }]) => sum + peakMb(pid), 0);

async function crowdOf(fleet: BenchFleet, size: number): Promise<Crowd> {
  const app = await fleet.createApp();
  await fleet.register(app, size);
  for (let i = 0; i < WARM_UP_PUSHES; i += 1) await pushToAll(fleet, app);
  return { fleet, app };
}

/** Devices a second of one push. */
async function speedOf({ fleet, app }: Crowd, size: number): Promise<number> {
  await fleet.resetTraffic();
  const seconds = await pushToAll(fleet, app);
  const { distinctDevices, duplicates } = await fleet.traffic('hms');
  if (distinctDevices !== size || duplicates !== 0)
    throw new Error(`${distinctDevices} of ${size} devices, ${duplicates} doubles`);
  return size / seconds;
}

export const compact: Benchmark = {
  name: 'compact',
  measures: 'devices/s of an audience push, all roles in one process, in turns with a process for each role',
  mustReach: 0.8,
  goal: 1,
  unit: 'devices/s',
  workers: CHANNELS,
  run,
};
