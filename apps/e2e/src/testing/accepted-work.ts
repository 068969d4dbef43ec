import { setTimeout as delay } from 'node:timers/promises';
import { OWN_CHANNEL } from '@pushfleet/domain';
import { expectBalanced, type DemoApp, type Fleet } from '../fleet';

const PAUSE_MS = 100;
const DONE_WITHIN_MS = 120_000;
/** Devices a second: a campaign outlasts what is done meanwhile, on a fast machine too. */
const FLOW = 1000;

export interface Audience {
  /** `device-0`, `device-1`, … of hms. */
  readonly hms: number;
  /** Without a vendor. */
  readonly own: number;
}

/** Campaigns and messages that the fleet said yes to: each of them has to reach whom it was for. */
export class AcceptedWork {
  campaigns: string[] = [];
  messages: string[] = [];
  /** Messages that got no answer, or another than yes. */
  refused = 0;
  private isOver = false;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly fleet: Fleet,
    private readonly app: DemoApp,
    private readonly audience: Audience,
  ) {}

  /** Sends messages one after the other from now on, until it is stopped. */
  static begin(...parts: ConstructorParameters<typeof AcceptedWork>): AcceptedWork {
    const work = new AcceptedWork(...parts);
    work.running = work.keepSending();
    return work;
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await this.running;
  }

  async campaign(): Promise<string> {
    const data = { alert: `campaign ${this.campaigns.length}` };
    const { objectId } = await this.fleet.push(this.app, { data, flow_control: FLOW });
    this.campaigns.push(objectId);
    return objectId;
  }

  /** Takes out what was accepted so far. */
  take(): Pick<AcceptedWork, 'campaigns' | 'messages'> {
    const { campaigns, messages } = this;
    [this.campaigns, this.messages] = [[], []];
    return { campaigns, messages };
  }

  /** Every one of these is done: taken for everybody it was for, with nobody failed or discarded. */
  async expectReached({ campaigns, messages }: Pick<AcceptedWork, 'campaigns' | 'messages'>): Promise<void> {
    const { hms, own } = this.audience;
    for (const pushId of campaigns) await this.expectBooks(pushId, { hms, [OWN_CHANNEL]: own });
    for (const pushId of messages) await this.expectBooks(pushId, { hms: 1 });
  }

  private async expectBooks(pushId: string, accepted: Readonly<Record<string, number>>): Promise<void> {
    const record = await this.fleet.done(this.app, pushId, DONE_WITHIN_MS);
    expectBalanced(record);
    for (const [channel, count] of Object.entries(accepted))
      expect(record.channels[channel]).toMatchObject({ accepted: count, failed: {}, discarded: {} });
  }

  private async keepSending(): Promise<void> {
    for (let i = 0; !this.isOver; i += 1) {
      const where = { installationId: `device-${i % this.audience.hms}` };
      // An ingress that leaves may cut a request off: it has said nothing then, and nothing was promised.
      const sent = await this.fleet.push(this.app, { where, data: { alert: 'one' } }).catch(() => undefined);
      if (sent) this.messages.push(sent.objectId);
      else this.refused += 1;
      await delay(PAUSE_MS);
    }
  }
}
