import {
  type ChannelSimulator,
  type SimulatorAnswer,
  type SimulatorOptions,
  type SimulatorRequest,
} from '@pushfleet/channel-kit/testing';
import { ChannelStats } from './channel-stats';
import { FaultBook } from './fault-book';
import { MessageLog, type MessageLimits } from './message-log';

interface Vendor {
  readonly channel: string;
  readonly simulator: ChannelSimulator;
  readonly stats: ChannelStats;
  readonly log: MessageLog;
}

export interface Reply {
  readonly delayMs: number;
  /** `undefined`: the connection is torn instead. */
  readonly answer: SimulatorAnswer | undefined;
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
    const { kind, delayMs, answer: canned } = this.faults.strike(channel, request);
    if (canned !== undefined) return { delayMs, answer: { contentType: 'application/json; charset=utf-8', ...canned } };
    if (kind === 'reset') return { delayMs, answer: undefined };
    const answer = kind === undefined ? simulator.answer(request) : simulator.misbehave(kind, request);
    // A vendor that recognises a repeat answers as before and reaches nobody.
    if (answer.sent !== undefined && answer.sent.registrationIds.length > 0) {
      stats.countSent(answer.sent);
      log.add(request, answer.sent, this.now());
    }
    return { delayMs, answer };
  }

  clear(): void {
    this.faults.clear();
    for (const { stats, log } of this.vendors) {
      stats.clear();
      log.clear();
    }
  }
}
