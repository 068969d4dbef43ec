import { setTimeout as delay } from 'node:timers/promises';
import { Device, installationIdOf, type DeviceEvents } from './device';
import { isAcknowledging, type DevicePlan, type Share } from './plan';
import { openRest, Unwelcome, type Rest } from './rest';
import { sourceAddress } from './source-address';
import { newTally, type Messages, type MessageTally, type Tally } from './tally';
import { Turnstile } from './turnstile';

/** Registrations and connections of one process that are under way. */
const AT_ONCE = 50;
const PAUSE_MS = { first: 500, longest: 16_000 };
const TICK_MS = 1000;
/** Messages that are counted one by one; of others only the sums are kept. */
const MAX_MESSAGES = 10_000;
const CLOSE_WITHIN_MS = 3000;

/** The devices of one process: keeps them connected until it is closed. */
export class Crowd implements DeviceEvents {
  readonly tally: Tally = newTally();
  /** Why the latest of them failed. */
  lastFailure: string | undefined;
  private readonly counted = new Map<string, MessageTally>();
  private readonly devices: readonly Device[];
  private readonly rest: Rest;
  private readonly turnstile = new Turnstile(AT_ONCE);
  private isOver = false;
  private readonly timer: NodeJS.Timeout;
  private ticks = 0;

  constructor(
    private readonly plan: DevicePlan,
    share: Share,
    /** Called once, when it is no use to go on. */
    private readonly onHopeless: (error: Unwelcome) => void,
  ) {
    this.rest = openRest(plan);
    this.devices = Array.from({ length: share.count }, (_, n) => this.deviceAt(share.first + n));
    this.timer = setInterval(() => this.tick(), TICK_MS);
  }

  start(): void {
    for (const device of this.devices) void this.bringUp(device);
  }

  get messages(): Messages {
    return Object.fromEntries(this.counted);
  }

  async close(): Promise<void> {
    this.isOver = true;
    clearInterval(this.timer);
    for (const device of this.devices) device.close();
    const deadline = performance.now() + CLOSE_WITHIN_MS;
    while (this.devices.some(({ isClosed }) => !isClosed) && performance.now() < deadline) await delay(20);
    for (const device of this.devices) device.drop();
  }

  onMessage(id: string, isNew: boolean): void {
    if (!isNew) return void (this.tally.duplicates += 1);
    this.tally.received += 1;
    const message = this.messageOf(id);
    if (message) message.received += 1;
  }

  onAcked(ids: readonly string[]): void {
    this.tally.acked += ids.length;
    for (const id of ids) {
      const message = this.messageOf(id);
      if (message) message.acked += 1;
    }
  }

  onLive(device: Device): void {
    this.tally.connected += 1;
    if (device.logins > 1) this.tally.reconnects += 1;
  }

  onLost(device: Device): void {
    this.tally.connected -= 1;
    void this.reconnect(device);
  }

  private deviceAt(index: number): Device {
    const { appId, prefix, ackShare } = this.plan;
    const installationId = installationIdOf(prefix, index);
    return new Device({ index, appId, installationId, isAcknowledging: isAcknowledging(index, ackShare) }, this);
  }

  private async bringUp(device: Device): Promise<void> {
    const { isRegistering } = this.plan;
    const isRegistered = await this.persist(device, async () => {
      if (isRegistering) await this.rest.register(device.identity.installationId);
    });
    if (!isRegistered) return;
    if (isRegistering) this.tally.registered += 1;
    await this.connect(device);
  }

  private async reconnect(device: Device): Promise<void> {
    if (await this.pause(device)) await this.connect(device);
  }

  private async connect(device: Device): Promise<void> {
    const from = (url: string): string | undefined => sourceAddress(url, device.identity.index, this.plan.count);
    await this.persist(device, async () => device.connect(await this.rest.route(device.identity.installationId), from));
  }

  /** Tries until it works; false when the end came first. */
  private async persist(device: Device, task: () => Promise<void>): Promise<boolean> {
    while (!this.isOver) {
      try {
        await this.turnstile.pass(() => (this.isOver ? Promise.resolve() : task()));
        return !this.isOver;
      } catch (error) {
        this.tally.failures += 1;
        this.lastFailure = (error as Error).message;
        if (error instanceof Unwelcome) return this.giveUp(error);
        if (!(await this.pause(device))) return false;
      }
    }
    return false;
  }

  private giveUp(error: Unwelcome): boolean {
    if (!this.isOver) this.onHopeless(error);
    this.isOver = true;
    return false;
  }

  /** Twice as long after every loss, and never the same for all: a gateway that comes back is not run over. */
  private async pause(device: Device): Promise<boolean> {
    const longest = Math.min(PAUSE_MS.longest, PAUSE_MS.first * 2 ** device.losses);
    device.losses += 1;
    const pauseMs = longest * (0.5 + Math.random() / 2);
    await delay(pauseMs, undefined, { ref: false });
    return !this.isOver;
  }

  /** One timer for all: each device has its turn once per heartbeat. */
  private tick(): void {
    const { heartbeatMs, dropEveryMs } = this.plan;
    const turns = Math.max(1, Math.round(heartbeatMs / TICK_MS));
    this.ticks += 1;
    for (const device of this.devices) {
      if (!device.isConnected) continue;
      if (dropEveryMs !== undefined && Math.random() < TICK_MS / dropEveryMs) device.drop();
      else if ((device.identity.index + this.ticks) % turns === 0) device.ping();
    }
  }

  private messageOf(id: string): MessageTally | undefined {
    const known = this.counted.get(id);
    if (known || this.counted.size >= MAX_MESSAGES) return known;
    const message = { received: 0, acked: 0 };
    this.counted.set(id, message);
    return message;
  }
}
