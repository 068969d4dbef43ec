import { setTimeout as delay } from 'node:timers/promises';
import type { RedisClient } from '@pushfleet/store';
import { cpuSeconds, type BenchFleet } from './bench-fleet';
import { medianOf } from './benchmark';

/** What the fleet used for one push. */
export interface Usage {
  /** Commands that Redis carried out, those inside scripts included. */
  readonly commands: number;
  readonly scripts: number;
  /** Processor time of Redis and of every process of the fleet that a push passes, without the simulated vendor. */
  readonly cpuUs: number;
  /** Processor time by process. */
  readonly cpuUsOf: Readonly<Record<string, number>>;
}

interface Count {
  readonly commands: number;
  readonly scripts: number;
  readonly cpuSecondsOf: ReadonlyMap<string, number>;
}

/** Commands of the benchmark itself. */
const NOT_COUNTED: ReadonlySet<string> = new Set(['info', 'ping']);
const SCRIPTS: ReadonlySet<string> = new Set(['eval', 'evalsha', 'fcall']);

/** Time for what follows a push that is done, such as confirmations. */
const SETTLE_MS = 2000;

/**
 * What a push uses beyond an idle fleet in the same time, for pushes that take long: the middle of several rounds of `count`. What
 * the fleet does for itself every ten seconds or once in a minute is three thousand commands and more, and is in few of them.
 */
export async function usageBesideIdle(
  fleet: BenchFleet,
  { rounds, count }: { readonly rounds: number; readonly count: number },
  work: () => Promise<unknown>,
): Promise<Usage> {
  const inRounds = async (round: () => Promise<unknown>): Promise<Usage> => {
    await delay(SETTLE_MS);
    const usages: Usage[] = [];
    for (let i = 0; i < rounds; i += 1) usages.push(await usageOf(fleet, count, round));
    return middleOf(usages);
  };
  const startedAt = performance.now();
  const gross = await inRounds(work);
  const roundMs = (performance.now() - startedAt - SETTLE_MS) / rounds;
  const idle = await inRounds(() => delay(roundMs));
  const cpuUsOf = Object.entries(gross.cpuUsOf).map(([name, us]) => [name, us - (idle.cpuUsOf[name] ?? 0)] as const);
  return {
    commands: gross.commands - idle.commands,
    scripts: gross.scripts - idle.scripts,
    cpuUs: gross.cpuUs - idle.cpuUs,
    cpuUsOf: Object.fromEntries(cpuUsOf),
  };
}

/** Of several measurements of the same. */
export function middleOf(usages: readonly Usage[]): Usage {
  const middle = (of: (usage: Usage) => number): number => medianOf(usages.map(of));
  const names = Object.keys(usages[0]?.cpuUsOf ?? {});
  return {
    commands: middle(({ commands }) => commands),
    scripts: middle(({ scripts }) => scripts),
    cpuUs: middle(({ cpuUs }) => cpuUs),
    cpuUsOf: Object.fromEntries(names.map((name) => [name, middle(({ cpuUsOf }) => cpuUsOf[name] ?? NaN)])),
  };
}

/** What `count` pushes use, with what an idle fleet would use in that time: little beside thousands of pushes. */
export async function usageOf(fleet: BenchFleet, count: number, work: () => Promise<unknown>): Promise<Usage> {
  const before = await countOf(fleet);
  await work();
  const after = await countOf(fleet);
  const cpuUsOf = [...after.cpuSecondsOf].map(
    ([name, seconds]) => [name, ((seconds - (before.cpuSecondsOf.get(name) ?? 0)) * 1e6) / count] as const,
  );
  return {
    commands: (after.commands - before.commands) / count,
    scripts: (after.scripts - before.scripts) / count,
    cpuUs: cpuUsOf.reduce((total, [, us]) => total + us, 0),
    cpuUsOf: Object.fromEntries(cpuUsOf),
  };
}

async function countOf({ redis, processes }: BenchFleet): Promise<Count> {
  const calls = await callsOf(redis);
  const sum = (isMeant: (command: string) => boolean): number =>
    [...calls].reduce((total, [command, times]) => (isMeant(command) ? total + times : total), 0);
  const used = ['ingress', 'dispatcher', 'worker-hms'].map(
    (name) => [name, cpuSeconds(processes.service(name).pid)] as const,
  );
  return {
    commands: sum((command) => !NOT_COUNTED.has(command)),
    scripts: sum((command) => SCRIPTS.has(command)),
    cpuSecondsOf: new Map([...used, ['Redis', await redisSeconds(redis)]]),
  };
}

async function redisSeconds(redis: RedisClient): Promise<number> {
  const text = await redis.info('cpu');
  const used = [...text.matchAll(/^used_cpu_(?:sys|user):([\d.]+)/gm)].map(([, seconds]) => Number(seconds));
  return used.reduce((total, seconds) => total + seconds, 0);
}

async function callsOf(redis: RedisClient): Promise<ReadonlyMap<string, number>> {
  const text = await redis.info('commandstats');
  return new Map(
    [...text.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)].map(([, command = '', calls]) => [command, Number(calls)]),
  );
}

/** The processor time of one push, or of one device, as a benchmark prints it. */
export const cpuDetails = ({ cpuUs, cpuUsOf }: Usage, one: string): Readonly<Record<string, number>> => ({
  [`CPU µs a ${one}, Redis included`]: cpuUs,
  ...Object.fromEntries(Object.entries(cpuUsOf).map(([name, us]) => [`CPU µs a ${one} of ${name}`, us])),
});
