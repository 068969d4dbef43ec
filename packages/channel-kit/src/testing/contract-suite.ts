/// <reference types="jest" />
import type { JsonObject } from '@pushfleet/domain';
import type { VendorChannel } from '../channel';
import { describeDeclaration } from './contract-declaration';
import { describeFaults } from './contract-faults';
import { describeLateness } from './contract-lateness';
import { describePreview } from './contract-preview';
import { describeReceipts } from './contract-receipts';
import type { Subject } from './contract-rig';
import { describeSending } from './contract-sending';
import type { MakeSimulator } from './simulator';

/**
 * What every channel guarantees, proven against the vendor's simulator. `profile` is complete, and its secrets are
 * `SIMULATOR_SECRET`.
 */
export function describeChannelContract(channel: VendorChannel, makeSimulator: MakeSimulator, profile: unknown): void {
  const subject: Subject = { channel, makeSimulator, profile: profile as JsonObject };
  describe(`channel ${channel.name}`, () => {
    describe('declaration', () => describeDeclaration(subject));
    describe('sending', () => describeSending(subject));
    describe('preview', () => describePreview(subject));
    describe('faults', () => describeFaults(subject));
    describe('lateness', () => describeLateness(subject));
    describe('receipts', () => describeReceipts(subject));
  });
}
