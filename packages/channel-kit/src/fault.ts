import { keptWords, MAX_WORDS_LENGTH, type DiscardReason, type FailureReason } from '@pushfleet/domain';

export type FaultCode =
  | 'unreachable'
  | 'vendor-error'
  | 'unknown-outcome'
  | 'throttled'
  | 'quota-exceeded'
  | 'credentials-rejected'
  | 'message-rejected'
  | 'payload-too-large'
  | 'batch-refused'
  | 'unrecognised-answer';

export interface FaultPolicy {
  /**
   * `backoff`: later, with growing pauses; `wait`: when the vendor says; `split`: halve the batch; `never`: book it;
   * `at-most-once`: only where a repeat alerts nobody twice, or is the lesser evil.
   */
  readonly retry: 'backoff' | 'wait' | 'split' | 'never' | 'at-most-once';
  /** How devices are booked when retrying ends: by policy, by the push's expiry or after `maxTries`. */
  readonly booksAs: DiscardReason | FailureReason;
  /** Tries before the devices are booked; without it, until the push expires. */
  readonly maxTries?: number;
  readonly log: 'info' | 'warn' | 'error';
}

/** What to do when a vendor gives no usable answer for a whole request. */
export const FAULT_POLICY = {
  unreachable: { retry: 'backoff', booksAs: 'unreachable', log: 'warn' },
  'vendor-error': { retry: 'backoff', booksAs: 'vendor-error', log: 'warn' },
  /** The vendor may have taken the message. */
  'unknown-outcome': { retry: 'at-most-once', booksAs: 'unknown-outcome', log: 'warn' },
  throttled: { retry: 'wait', booksAs: 'expired', log: 'warn' },
  'quota-exceeded': { retry: 'wait', booksAs: 'quota-exceeded', log: 'warn' },
  'credentials-rejected': { retry: 'never', booksAs: 'credentials-rejected', log: 'error' },
  'message-rejected': { retry: 'never', booksAs: 'message-rejected', log: 'warn' },
  'payload-too-large': { retry: 'never', booksAs: 'payload-too-large', log: 'warn' },
  'batch-refused': { retry: 'split', booksAs: 'message-rejected', log: 'info' },
  'unrecognised-answer': { retry: 'backoff', booksAs: 'unrecognised-answer', maxTries: 5, log: 'error' },
} as const satisfies Record<FaultCode, FaultPolicy>;

export interface FaultDetails {
  readonly vendorCode?: string | undefined;
  /** The vendor's own words. */
  readonly vendorMessage?: string | undefined;
  /** How long the vendor asks to wait. */
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
  /** The vendor would show this message again, whatever holds for others of the channel. */
  readonly isShownAgain?: boolean;
}

/** A vendor gave no usable answer for a whole request. Recognise it by `code`, never by the message text. */
export class ChannelFault extends Error {
  override readonly name = 'ChannelFault';
  readonly vendorCode: string | undefined;
  readonly vendorMessage: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly isShownAgain: boolean;

  constructor(
    readonly code: FaultCode,
    message: string,
    details: FaultDetails = {},
  ) {
    super(message.slice(0, MAX_WORDS_LENGTH), { cause: details.cause });
    // Both stand in the log, and in what the workers share.
    ({ vendorCode: this.vendorCode, vendorMessage: this.vendorMessage } = keptWords(details));
    this.retryAfterMs = details.retryAfterMs;
    this.isShownAgain = details.isShownAgain === true;
  }
}

export function isChannelFault(error: unknown): error is ChannelFault {
  return error instanceof Error && error.name === 'ChannelFault' && 'code' in error;
}
