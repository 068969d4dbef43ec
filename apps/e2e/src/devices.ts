import { randomBytes } from 'node:crypto';
import { channelOfVendor } from '@pushfleet/channels';
import type { AppWithKeys, JsonObject } from '@pushfleet/domain';
import { openRedis, openStore, type Store } from '@pushfleet/store';
import { anApp } from '@pushfleet/testing';
import type { DemoApp, Fleet } from './fleet';

const AT_ONCE = 1000;

const fail = (error: Error): never => {
  throw error;
};

/** One of many devices of HMS: `device-0` with `token-0`, `device-1` with `token-1`, …. */
const hmsDevice = (_: unknown, n: number): JsonObject => ({
  installationId: `device-${n}`,
  vendor: 'HMS',
  registrationId: `token-${n}`,
});

/** Imports many devices past the HTTP API, which takes a quarter of the time of saving them: these, or so many of HMS. */
export async function registerDevices(
  fleet: Fleet,
  app: DemoApp,
  devices: number | readonly JsonObject[],
): Promise<void> {
  await withStore(fleet, async (store) => {
    const left = typeof devices === 'number' ? Array.from({ length: devices }, hmsDevice) : [...devices];
    while (left.length > 0) {
      const docs = left.splice(0, AT_ONCE).map((device) => ({ deviceType: 'android', ...device }));
      const rows = docs.map((doc) => ({ objectId: randomBytes(12).toString('hex'), doc }));
      await store.installations.import(app.id, rows);
    }
  });
}

/** An app from before keys had a least length, as the recordings sign with one. */
export async function createOldApp(fleet: Fleet, changes: Partial<AppWithKeys>): Promise<DemoApp> {
  const app = anApp(changes);
  await withStore(fleet, (store) => store.apps.create(app));
  return app;
}

/** Lists pushes, newer than all others, whose records are gone, as those of old pushes are. */
export const listGonePushes = (fleet: Fleet, app: DemoApp, count: number): Promise<void> =>
  withStore(fleet, (store) => {
    const createdAt = Date.now() + 60_000;
    const ids = Array.from({ length: count }, (_, i) => `${String(i).padStart(14, '0')}0a`);
    return store.pushes.index(
      app.id,
      ids.map((pushId) => ({ pushId, createdAt })),
    );
  });

async function withStore(fleet: Fleet, work: (store: Store) => Promise<unknown>): Promise<void> {
  const redis = await openRedis({ url: fleet.redis.url, patience: 'wait', onError: fail });
  const secretKey = fleet.env['SECRET_KEY'] ?? '';
  await work(openStore({ redis, namespace: 'pushfleet', secretKey, vendors: channelOfVendor }));
  await redis.quit();
}
