import { faults, spentToday, type RequestRow } from '@pushfleet/channel-kit';
import { type Deferred, type DiscardReason } from '@pushfleet/domain';

/** A code of one target. */
export type DeviceRow = { readonly words: string } & (
  { readonly discard: DiscardReason } | Pick<Deferred, 'retryAfterMs' | 'reason' | 'maxTries'>
);

export const OK_CODE = '200';

/** Meizu PushAPI README, 2025-04-09, return codes; Java SDK 1.2.13, 2025-04-22, ErrorCode. */
export const REQUEST_CODES: Readonly<Record<string, RequestRow>> = {
  110002: { words: 'pushId not registered', device: 'registration-gone' },
  110003: { words: 'pushId illegal', device: 'registration-gone' },
  ...faults('vendor-error', { 500: 'other error', 1001: 'system error', 1003: 'server busy' }),
  ...faults('message-rejected', {
    1005: 'parameter error',
    110004: 'parameter empty',
    110032: 'taskId illegal',
    110053: 'pass-through over limit',
  }),
  ...faults('credentials-rejected', {
    1006: 'signature failed',
    110000: 'appId illegal',
    110001: 'appKey illegal',
    110009: 'application black-listed',
    110031: 'packageName illegal',
    110033: 'appSecret illegal',
  }),
  ...faults('throttled', { 110010: 'application is pushing too fast' }),
  ...spentToday({
    110019: "application's daily push count exceeded",
    110051: "application's count limit exceeded",
  }),
};

/** A device that the vendor could not serve is asked for once more: it may be refused for hours. */
const BUSY = { retryAfterMs: 30_000, reason: 'vendor-error', maxTries: 2 } as const;
const RATE = { retryAfterMs: 60_000, reason: 'frequency-capped', maxTries: 2 } as const;

/**
 * Same sources, codes of single targets; 518 is in the SDK only. 110010 is another thing here than for a whole
 * request. 110005 speaks about aliases, which are never addressed.
 */
export const DEVICE_CODES: Readonly<Record<string, DeviceRow>> = {
  201: { words: 'no permission, refused', discard: 'message-rejected' },
  501: { words: 'push failed (db)', ...BUSY },
  513: { words: 'push failed (internal)', ...BUSY },
  518: { words: 'over the configured rate', ...RATE },
  519: { words: 'service overloaded', ...BUSY },
  520: { words: 'collapsed with other messages of this minute', discard: 'frequency-capped' },
  110002: { words: 'pushId invalid, not subscribed', discard: 'registration-gone' },
  110003: { words: 'pushId illegal', discard: 'registration-gone' },
  110010: { words: 'message switch of the pushId is off', discard: 'notifications-off' },
  110011: { words: 'daily limit of public messages for this device', discard: 'frequency-capped' },
};

/** An undocumented code of one target must not repeat the call for its neighbours: only that device is asked again. */
export const UNKNOWN_DEVICE: DeviceRow = {
  words: 'unknown code',
  retryAfterMs: 600_000,
  reason: 'unrecognised-answer',
  maxTries: 3,
};
