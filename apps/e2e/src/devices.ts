import { channelOfVendor } from '@pushfleet/channels';
import { openRedis, openStore } from '@pushfleet/store';
import type { DemoApp, Fleet } from './fleet';

const AT_ONCE = 500;

const fail = (error: Error): never => {
  throw error;
};

/** Registers many devices of one vendor past the HTTP API, `device-0`, `device-1`, …, with `token-0`, `token-1`, …. */
export async function registerDevices(fleet: Fleet, app: DemoApp, count: number): Promise<void> {
  const redis = await openRedis({ url: fleet.redis.url, patience: 'wait', onError: fail });
  const secretKey = fleet.env['SECRET_KEY'] ?? '';
  const store = openStore({ redis, namespace: 'pushfleet', secretKey, vendors: channelOfVendor });
  const numbers = Array.from({ length: count }, (_, i) => i);
  while (numbers.length > 0) {
    const bodies = numbers.splice(0, AT_ONCE).map((i) => ({
      installationId: `device-${i}`,
      vendor: 'HMS',
      registrationId: `token-${i}`,
      deviceType: 'android',
    }));
    await Promise.all(bodies.map((body) => store.installations.save({ app: app.id, body, now: Date.now() })));
  }
  await redis.quit();
}
