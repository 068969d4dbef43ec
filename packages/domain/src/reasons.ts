/** What the sender or operator should do about a discard or a failure, in words; the record calls it `action`. */
export const ADVICE_TEXTS = {
  'fix-config': 'Change a setting or a message, then push again to those devices.',
  'drop-registration': 'Forget the registrationId; the device is reached again when it saves a new one.',
  'slow-down': 'Send less, or later: the vendor or a limit of your own counts what a device gets.',
  retry: 'The same push may succeed later.',
  never: 'Do not send this again to those devices: it would fail in the same way, or alert somebody twice.',
} as const;

export type Advice = keyof typeof ADVICE_TEXTS;

/** A reason in plain words. */
export interface ReasonText {
  readonly means: string;
  readonly remedy: string;
}

export interface ReasonPolicy extends ReasonText {
  /** Takes the registration out of the audience; the installation stays. */
  readonly retires: boolean;
  readonly advice: Advice;
}

/** A deliberate decision not to deliver to a device, and what follows from it. */
export const DISCARD_POLICY = {
  'silent-unsupported': {
    retires: false,
    advice: 'never',
    means: 'The message was silent, and this vendor has no silent messages.',
    remedy: 'Send a text that may be shown, or reach these devices while the app is open.',
  },
  'payload-too-large': {
    retires: false,
    advice: 'never',
    means: 'The message is larger than this vendor takes.',
    remedy: 'Shorten the text or the attributes; docs/vendors.md has the limit of each vendor.',
  },
  'package-name-too-long': {
    retires: false,
    advice: 'fix-config',
    means: 'The package name in the profile or in the message is longer than 128 bytes.',
    remedy: 'Correct the package name.',
  },
  'profile-missing': {
    retires: false,
    advice: 'fix-config',
    means: 'The devices name a profile in `deviceProfile` that the app does not have for their vendor.',
    remedy: 'Save the profile with its credentials, then push again.',
  },
  'channel-unavailable': {
    retires: false,
    advice: 'fix-config',
    means: 'The channel discarded its work because an operator said so, or no worker serves it.',
    remedy: 'Ask the operator; push again when the channel is open.',
  },
  'vendor-unknown': {
    retires: false,
    advice: 'never',
    means: 'There is no channel for the `vendor` of these devices.',
    remedy: 'Nothing, unless `vendor` is misspelt on the device.',
  },
  'platform-unsupported': {
    retires: false,
    advice: 'never',
    means: 'The devices are iOS devices, which are stored and not served.',
    remedy: 'Nothing.',
  },
  'registration-missing': {
    retires: false,
    advice: 'drop-registration',
    means: 'The device names a vendor and has no registrationId.',
    remedy: 'Check that the app on the device registers with its vendor and saves the registrationId.',
  },
  'registration-gone': {
    retires: true,
    advice: 'drop-registration',
    means: 'The vendor said that it no longer knows the registration: the app was removed, or its token was replaced.',
    remedy: 'Nothing here. The device is reached again when the app saves a new registrationId.',
  },
  'notifications-off': {
    retires: false,
    advice: 'never',
    means: 'The user switched notifications of the app off, or the vendor closed the device for now.',
    remedy: 'Nothing by push; the app may ask its user.',
  },
  'frequency-capped': {
    retires: false,
    advice: 'slow-down',
    means: 'The device has had as many messages of this kind as its vendor allows for the time.',
    remedy: 'Send fewer, later, or in a class of messages with a higher allowance.',
  },
  'quota-exceeded': {
    retires: false,
    advice: 'slow-down',
    means: 'The allowance of the profile at its vendor, or the daily limit of the app, is used up.',
    remedy: 'Wait for the next day, or raise the allowance: at the vendor, or in the settings of the app.',
  },
  expired: {
    retires: false,
    advice: 'retry',
    means: 'The push expired before it could be handed to the vendor.',
    remedy: 'Push again, with a later expiry. What made it wait stands in `waiting` while a push is under way.',
  },
  cancelled: {
    retires: false,
    advice: 'never',
    means: 'The push was cancelled before these devices had their turn.',
    remedy: 'Nothing.',
  },
  'credentials-rejected': {
    retires: false,
    advice: 'fix-config',
    means: 'The vendor refused the credentials of the profile.',
    remedy: 'Correct the profile, test it, then push again.',
  },
  'message-rejected': {
    retires: false,
    advice: 'never',
    means: 'The vendor, or a rule that is known of it, refused this message.',
    remedy: 'Read `vendorCode` and `vendorMessage`, and change the message.',
  },
} as const satisfies Record<string, ReasonPolicy>;

export type DiscardReason = keyof typeof DISCARD_POLICY;

/** No verdict could be had from the vendor. */
export const FAILURE_POLICY = {
  unreachable: {
    retires: false,
    advice: 'retry',
    means: 'The vendor could not be reached until the push expired.',
    remedy: 'Check the way out of the network and the state of the vendor, then push again.',
  },
  'vendor-error': {
    retires: false,
    advice: 'retry',
    means: 'The vendor answered with an error of its own until the push expired.',
    remedy: 'Push again later; if it lasts, ask the vendor with `vendorCode` and the time.',
  },
  'unknown-outcome': {
    retires: false,
    advice: 'never',
    means: 'The vendor may have taken the message, but its answer never came. A repeat could have alerted twice.',
    remedy: 'Push again only to whom a second alert does no harm.',
  },
  'unrecognised-answer': {
    retires: false,
    advice: 'never',
    means: 'The vendor answered with a code that nobody knows, until the push expired or its wait ended.',
    remedy: 'Look the code up at the vendor, and report it: a later version should know it.',
  },
  'internal-error': {
    retires: false,
    advice: 'never',
    means: 'pushfleet itself failed.',
    remedy: 'Look into the log of the worker at the time of the push, and report what it says.',
  },
} as const satisfies Record<string, ReasonPolicy>;

export type FailureReason = keyof typeof FAILURE_POLICY;

export type Reason = DiscardReason | FailureReason;

export function isFailureReason(reason: string): reason is FailureReason {
  return Object.hasOwn(FAILURE_POLICY, reason);
}

export function adviceFor(reason: Reason): Advice {
  return (isFailureReason(reason) ? FAILURE_POLICY[reason] : DISCARD_POLICY[reason]).advice;
}
