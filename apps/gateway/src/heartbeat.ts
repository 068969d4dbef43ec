import type { GatewayStore, Hint } from '@pushfleet/store';

export interface HeartbeatPorts {
  readonly gateways: GatewayStore;
  readonly node: string;
  readonly urls: readonly string[];
  readonly now: () => number;
  onHint(hint: Hint): void;
  /** Everything must be looked at again. */
  onGap(): void;
  onError(error: unknown, doing: string): void;
}

export interface Heartbeat {
  /** From now on no new devices are sent here. */
  drain(): Promise<void>;
  stop(): Promise<void>;
}

const EVERY_MS = 5000;
/** Own heartbeats that did not come around: the subscription is dead without knowing it. */
const DEAF_AFTER_MS = 3 * EVERY_MS;

/** Keeps the node among the living and listens to what it is told; resolves when both work. */
export async function startHeartbeat(ports: HeartbeatPorts): Promise<Heartbeat> {
  const pulse = new Pulse(ports);
  await pulse.start();
  return pulse;
}

class Pulse implements Heartbeat {
  private isDraining = false;
  private timer: NodeJS.Timeout | undefined;
  private heardAt = 0;
  /** One at a time: after a long outage all of them would listen anew. */
  private beating: Promise<void> | undefined;
  private stopListening: () => void = () => undefined;

  constructor(private readonly ports: HeartbeatPorts) {}

  async start(): Promise<void> {
    await this.listen();
    await this.beat();
    this.timer = setInterval(() => void this.keepUp(), EVERY_MS);
  }

  async drain(): Promise<void> {
    this.isDraining = true;
    // The one under way may have told the others that devices are welcome.
    await this.beating;
    await this.keepUp();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.beating;
    this.stopListening();
    await this.ports.gateways.leave(this.ports.node);
  }

  private keepUp(): Promise<void> {
    this.beating ??= this.keepUpOnce().finally(() => (this.beating = undefined));
    return this.beating;
  }

  private async keepUpOnce(): Promise<void> {
    try {
      await this.beat();
      if (this.ports.now() - this.heardAt > DEAF_AFTER_MS) await this.listenAnew();
    } catch (error) {
      this.ports.onError(error, 'heartbeat');
    }
  }

  private async beat(): Promise<void> {
    const { gateways, node: id, urls } = this.ports;
    await gateways.beat({ id, urls, isDraining: this.isDraining });
  }

  private async listenAnew(): Promise<void> {
    this.stopListening();
    await this.listen();
    this.ports.onGap();
  }

  private async listen(): Promise<void> {
    const { gateways, node, now, onHint, onGap, onError } = this.ports;
    this.stopListening = await gateways.listen(node, {
      onHint,
      onGap,
      onBeat: () => (this.heardAt = now()),
      onError: (error) => onError(error, 'listen'),
    });
    this.heardAt = now();
  }
}
