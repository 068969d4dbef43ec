import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@pushfleet/testing';
import { request } from 'undici';
import type { BenchApp, BenchFleet } from './bench-fleet';

interface SimulatedMessage {
  readonly pushId: string;
  /** ISO 8601. */
  readonly at: string;
}

/** Posts one addressed push every `everyMs` and resolves with the ms from accept to vendor call, sorted. */
export async function arrivalTimes(
  fleet: BenchFleet,
  app: BenchApp,
  { objectIds, count, everyMs }: { objectIds: readonly string[]; count: number; everyMs: number },
): Promise<readonly number[]> {
  const posted = new Map<string, number>();
  const posting: Promise<void>[] = [];
  const begunAt = performance.now();
  for (let i = 0; i < count; i += 1) {
    const earlyMs = begunAt + i * everyMs - performance.now();
    if (earlyMs > 0) await delay(earlyMs);
    const startedAt = performance.timeOrigin + performance.now();
    const body = { where: { objectId: objectIds[i % objectIds.length] }, data: { alert: `code ${i}` } };
    posting.push(fleet.push(app, body).then((pushId) => void posted.set(pushId, startedAt)));
  }
  await Promise.all(posting);
  return until(
    async () => {
      const messages = await recentMessages(fleet, 1000);
      const arrived = messages.filter(({ pushId }) => posted.has(pushId));
      if (arrived.length < count) return undefined;
      return arrived.map(({ pushId, at }) => Date.parse(at) - (posted.get(pushId) ?? NaN)).sort((a, b) => a - b);
    },
    { timeoutMs: 60_000, everyMs: 200 },
  ) as Promise<readonly number[]>;
}

async function recentMessages(fleet: BenchFleet, limit: number): Promise<readonly SimulatedMessage[]> {
  const url = `${fleet.processes.url('simulator')}/_simulator/messages?channel=hms&limit=${limit}`;
  const answer = await request(url, { dispatcher: fleet.http });
  return ((await answer.body.json()) as { results: SimulatedMessage[] }).results;
}
