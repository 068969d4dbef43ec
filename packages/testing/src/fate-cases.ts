import type { DiscardReason, JsonObject, PushContent } from '@pushfleet/domain';

/** A device, what is pushed to it, and what must become of it wherever anybody asks. */
export interface FateCase {
  readonly name: string;
  readonly device: JsonObject;
  /** Its vendor called its address dead. */
  readonly isRetired?: boolean;
  /** Without hybrid push every device is the own channel's. */
  readonly hybrid?: boolean;
  readonly content: PushContent;
  /** The column of the books. */
  readonly channel: string;
  /** Absent when it is sent to. */
  readonly reason?: DiscardReason;
}

const shown: PushContent = { data: { alert: 'x' }, sections: {} };
const silent: PushContent = { data: { silent: true }, sections: {} };
const onVendor = (vendor: string, more: JsonObject = {}): JsonObject => ({ vendor, registrationId: 'r', ...more });

/** The profiles that the app of the cases has. */
export const FATE_PROFILES = ['hms', 'mz'] as const;

/** Every reason that is decided before a vendor is called, and its opposite. */
export const FATE_CASES: readonly FateCase[] = [
  { name: 'a vendor device', device: onVendor('HMS'), content: shown, channel: 'hms' },
  { name: 'a silent push', device: onVendor('HMS'), content: silent, channel: 'hms' },
  { name: 'no vendor', device: {}, content: shown, channel: 'own' },
  { name: 'a silent push without vendor', device: {}, content: silent, channel: 'own' },
  { name: 'hybrid off', device: onVendor('mz'), hybrid: false, content: silent, channel: 'own' },
  {
    name: 'a section that shows what is silent elsewhere',
    device: onVendor('mz'),
    content: { data: { silent: true }, sections: { mz: { silent: false, alert: 'x' } } },
    channel: 'mz',
  },
  {
    ...{ name: 'a silent push where nothing is passed through', device: onVendor('mz'), content: silent },
    ...{ channel: 'mz', reason: 'silent-unsupported' },
  },
  {
    ...{ name: 'a profile that does not exist', device: onVendor('HMS', { deviceProfile: 'game' }), content: shown },
    ...{ channel: 'hms', reason: 'profile-missing' },
  },
  {
    ...{ name: 'a silent push to a channel without profile', device: onVendor('oppo'), content: silent },
    ...{ channel: 'oppo', reason: 'profile-missing' },
  },
  {
    ...{ name: 'a vendor that nobody serves', device: onVendor('fcm'), content: shown },
    ...{ channel: 'unknown', reason: 'vendor-unknown' },
  },
  {
    ...{ name: 'another platform', device: { deviceType: 'ios' }, content: shown },
    ...{ channel: 'ios', reason: 'platform-unsupported' },
  },
  {
    ...{ name: 'no address', device: { vendor: 'HMS' }, content: shown },
    ...{ channel: 'unregistered', reason: 'registration-missing' },
  },
  {
    ...{ name: 'a dead address', device: onVendor('HMS'), isRetired: true, content: shown },
    ...{ channel: 'hms', reason: 'registration-gone' },
  },
];
