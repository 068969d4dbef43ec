import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@pushfleet/testing';
import type { DemoApp, Fleet } from '../fleet';
import { SocketDevice } from './socket-device';

/** What somebody met who did nothing but push, in milliseconds. */
export interface Witnessed {
  /** From each call to its answer. */
  readonly accepts: readonly number[];
  /** From some of the calls to the arrival, over a vendor and on the own channel. */
  readonly deliveries: readonly number[];
}

/** The value that so great a part of them does not exceed. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(part * sorted.length) - 1] ?? NaN;
}

const VENDOR_DEVICE = 'victim-of-a-vendor';
const SOCKET_DEVICE = 'victim-on-a-socket';
/** Whoever waits as long is not served. */
const PATIENCE_MS = 60_000;
/** Calls begin at this pace, whether those before are answered or not: a stall is met by all who come in its time. */
const EVERY_MS = 25;
const CALLS_PER_DELIVERY = 20;

/** A tenant who minds only own business, and watches how that goes. */
export class Witness {
  private readonly agent = new Agent({ keepAlive: true });

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
    this.agent.destroy();
    return this.device.close();
  }

  /** Pushes as long as the work takes. */
  async watch(work: Promise<unknown>): Promise<Witnessed> {
    let isOver = false;
    const over = work.finally(() => (isOver = true));
    const accepts: number[] = [];
    const deliveries: number[] = [];
    const calls: Promise<unknown>[] = [];
    for (let n = 0; !isOver; n += 1) {
      const toBoth = n % CALLS_PER_DELIVERY === 0;
      calls.push(
        toBoth ? this.deliver().then((ms) => deliveries.push(ms)) : this.accept().then((ms) => accepts.push(ms)),
      );
      await delay(EVERY_MS);
    }
    await Promise.all([over, ...calls]);
    return { accepts, deliveries };
  }

  private async accept(): Promise<number> {
    const startedAt = performance.now();
    await this.push('nobody');
    return performance.now() - startedAt;
  }

  private async deliver(): Promise<number> {
    const startedAt = performance.now();
    const [toVendor, toSocket] = await Promise.all([this.push(VENDOR_DEVICE), this.push(SOCKET_DEVICE)]);
    await this.fleet.done(this.app, toVendor, PATIENCE_MS);
    await until(() => this.device.heard.has(toSocket), { timeoutMs: PATIENCE_MS, everyMs: 20 });
    return performance.now() - startedAt;
  }

  /** Over few connections that stay open, as a server does. */
  private push(installationId: string): Promise<string> {
    const headers = { 'x-lc-id': this.app.id, 'x-lc-key': this.app.key, 'content-type': 'application/json' };
    return new Promise((resolve, reject) => {
      const options = { method: 'POST', agent: this.agent, headers };
      const call = request(`${this.fleet.url('ingress')}/1.1/push`, options, (answer) => {
        let text = '';
        answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
        answer.once('end', () => {
          if (answer.statusCode === 200) resolve((JSON.parse(text) as { objectId: string }).objectId);
          else reject(new Error(`${answer.statusCode}: ${text}`));
        });
      });
      call.once('error', reject);
      call.end(JSON.stringify({ where: { installationId }, data: { alert: 'How is it?' } }));
    });
  }
}
