import { until } from '@pushfleet/testing';
import { request } from 'undici';
import type { BenchApp, BenchFleet } from './bench-fleet';

/** Of the senders that post one push each. */
export const CONNECTIONS = 64;

/** Posts to the client API with the app key. */
export function poster(fleet: BenchFleet, app: BenchApp): (path: string, body: unknown) => Promise<void> {
  const headers = {
    'content-type': 'application/json',
    'x-lc-id': app.id,
    'x-lc-key': app.key,
  };
  return async (path, body) => {
    const url = `${fleet.processes.url('ingress')}/1.1${path}`;
    const text = JSON.stringify(body);
    const answer = await request(url, {
      method: 'POST',
      headers,
      body: text,
      dispatcher: fleet.http,
    });
    const said = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${said}`);
  };
}

/** Pushes per second until the vendor has them all. */
export async function rateOf(fleet: BenchFleet, count: number, postAll: () => Promise<unknown>): Promise<number> {
  await fleet.resetTraffic();
  const startedAt = performance.now();
  await postAll();
  await until(async () => (await fleet.traffic('hms')).devices >= count, {
    timeoutMs: 300_000,
    everyMs: 20,
  });
  return (count * 1000) / (performance.now() - startedAt);
}
