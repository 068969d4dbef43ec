import type { RedisServerOptions } from '@pushfleet/testing';
import { registerDevices } from './devices';
import { faultRandom, type FaultRandom } from './fault-random';
import { Fleet, type DemoApp } from './fleet';

/** Calls that the worker has under way at most: what a kill may double. */
export const CALLS_AT_ONCE = 8;

/** What a killed process leaves is taken up again within seconds. */
export const QUICK_REPAIR = {
  SEND_CONCURRENCY: String(CALLS_AT_ONCE),
  ...{ BULK_LOCK_MS: '1500', REDRIVE_AFTER_MS: '1500', REDRIVE_INTERVAL_MS: '300' },
};

export interface FaultScene {
  readonly random: FaultRandom;
  readonly fleet: Fleet;
  readonly app: DemoApp;
}

/** A fleet with one vendor, for all tests of a file: it starts before the first and stops after the last. */
export function faultScene(devices: Parameters<typeof registerDevices>[2], redis: RedisServerOptions = {}): FaultScene {
  const scene = { random: faultRandom() } as { random: FaultRandom; fleet: Fleet; app: DemoApp };
  beforeAll(async () => {
    Object.assign(scene, await Fleet.withApp(['hms'], QUICK_REPAIR, redis));
    await registerDevices(scene.fleet, scene.app, devices);
  });
  afterAll(() => scene.fleet.stop());
  return scene;
}
