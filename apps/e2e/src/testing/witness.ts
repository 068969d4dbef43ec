import { until } from '@pushfleet/testing';
import type { DemoApp, Fleet } from '../fleet';
import { SocketDevice } from './socket-device';

/** The slowest of some round trips, in milliseconds. */
export interface Slowest {
  /** From the call to its answer. */
  readonly acceptMs: number;
  /** From the call to the arrival, over a vendor and on the own channel. */
  readonly deliveryMs: number;
}

const VENDOR_DEVICE = 'victim-of-a-vendor';
const SOCKET_DEVICE = 'victim-on-a-socket';
/** Whoever waits as long is not served. */
const PATIENCE_MS = 30_000;

/** A tenant who minds only own business, and watches how that goes. */
export class Witness {
  private constructor(
    private readonly fleet: Fleet,
    private readonly app: DemoApp,
    private readonly device: SocketDevice,
  ) {}

  static async start(fleet: Fleet): Promise<Witness> {
    const app = await fleet.createApp();
    const save = (installationId: string, fields: object): Promise<unknown> =>
      fleet.call(app, ['POST', '/installations'], { deviceType: 'android', installationId, ...fields });
    await save(VENDOR_DEVICE, { vendor: 'HMS', registrationId: 'victim-token' });
    await save(SOCKET_DEVICE, {});
    const device = new SocketDevice(fleet, app, SOCKET_DEVICE);
    await device.start();
    return new Witness(fleet, app, device);
  }

  close(): Promise<void> {
    return this.device.close();
  }

  /** Pushes, one after the other, as long as the work takes and at least a few times. */
  async watch(work: Promise<unknown>, atLeast = 4): Promise<Slowest> {
    let isOver = false;
    const over = work.finally(() => (isOver = true));
    let slowest: Slowest = { acceptMs: 0, deliveryMs: 0 };
    for (let n = 0; n < atLeast || !isOver; n += 1) {
      const { acceptMs, deliveryMs } = await this.roundTrip();
      slowest = {
        acceptMs: Math.max(slowest.acceptMs, acceptMs),
        deliveryMs: Math.max(slowest.deliveryMs, deliveryMs),
      };
    }
    await over;
    return slowest;
  }

  private async roundTrip(): Promise<Slowest> {
    const startedAt = performance.now();
    const push = (installationId: string) =>
      this.fleet.push(this.app, { where: { installationId }, data: { alert: 'How is it?' } });
    const [toVendor, toSocket] = await Promise.all([push(VENDOR_DEVICE), push(SOCKET_DEVICE)]);
    const acceptMs = performance.now() - startedAt;
    await this.fleet.done(this.app, toVendor.objectId, PATIENCE_MS);
    await until(() => this.device.heard.has(toSocket.objectId), { timeoutMs: PATIENCE_MS, everyMs: 20 });
    return { acceptMs, deliveryMs: performance.now() - startedAt };
  }
}
