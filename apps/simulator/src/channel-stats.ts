import { type SentMessage } from '@pushfleet/channel-kit/testing';
import { hashPair, HashSet, hashText } from './device-set';

export interface StatsRow {
  /** Requests of the channel, calls for access tokens and refused ones included. */
  readonly calls: number;
  readonly devices: number;
  readonly distinctDevices: number;
  /** Messages beyond the first of the same push for the same registrationId. */
  readonly duplicates: number;
}

/** What one vendor has seen. */
export class ChannelStats {
  private calls = 0;
  private devices = 0;
  private duplicates = 0;
  private readonly seenDevices = new HashSet();
  private readonly seenPairs = new HashSet();

  countCall(): void {
    this.calls += 1;
  }

  /** A message without a push id is never a duplicate: nothing tells it from another. */
  countSent({ pushId, registrationIds }: SentMessage): void {
    const push = hashText(pushId);
    for (const registrationId of registrationIds) {
      const device = hashText(registrationId);
      this.seenDevices.add(device);
      if (pushId !== '' && !this.seenPairs.add(hashPair(push, device))) this.duplicates += 1;
    }
    this.devices += registrationIds.length;
  }

  read(): StatsRow {
    const { calls, devices, duplicates } = this;
    return { calls, devices, distinctDevices: this.seenDevices.size, duplicates };
  }

  clear(): void {
    this.calls = this.devices = this.duplicates = 0;
    this.seenDevices.clear();
    this.seenPairs.clear();
  }
}
