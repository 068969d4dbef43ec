import {
  answerUnder,
  FaultBook,
  type ChannelSimulator,
  type Reply,
  type SimulatorOptions,
  type SimulatorRequest,
} from '@pushfleet/channel-kit/testing';
import { ChannelStats } from './channel-stats';
import { MessageLog, type MessageLimits } from './message-log';

interface Vendor {
  readonly channel: string;
  readonly simulator: ChannelSimulator;
  readonly stats: ChannelStats;
  readonly log: MessageLog;
}

export type SimulatorFactories = Readonly<Record<string, (options: SimulatorOptions) => ChannelSimulator>>;

export interface VendorsOptions extends SimulatorOptions {
  readonly limits: MessageLimits;
}

/** All vendors behind one port, with what each has seen and how each misbehaves. */
export class Vendors {
  readonly faults = new FaultBook();
  private readonly vendors: readonly Vendor[];
  private readonly now: () => number;

  constructor(simulators: SimulatorFactories, { now, limits }: VendorsOptions) {
    this.now = now;
    this.vendors = Object.entries(simulators).map(([channel, makeSimulator]) => ({
      channel,
      simulator: makeSimulator({ now }),
      stats: new ChannelStats(),
      log: new MessageLog(channel, limits),
    }));
  }

  get channels(): string[] {
    return this.vendors.map(({ channel }) => channel);
  }

  all(): readonly Vendor[] {
    return this.vendors;
  }

  of(channel: string): Vendor | undefined {
    return this.vendors.find((vendor) => vendor.channel === channel);
  }

  /** `undefined` when the path is no vendor's. */
  receive(request: SimulatorRequest): Reply | undefined {
    const vendor = this.vendors.find(({ simulator }) => simulator.handles(request.path));
    if (vendor === undefined) return undefined;
    const { channel, simulator, stats, log } = vendor;
    stats.countCall();
    const reply = answerUnder(this.faults.strike(channel, request), simulator, request);
    const sent = reply.answer?.sent;
    // A vendor that recognises a repeat answers as before and reaches nobody.
    if (sent !== undefined && sent.registrationIds.length > 0) {
      stats.countSent(sent);
      log.add(request, sent, this.now());
    }
    return reply;
  }

  clear(): void {
    this.faults.clear();
    for (const { simulator, stats, log } of this.vendors) {
      simulator.strict?.set([]);
      stats.clear();
      log.clear();
    }
  }
}
