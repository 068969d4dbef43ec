import { faults, spentToday, type FaultCode } from '@pushfleet/channel-kit';
import { type DiscardReason } from '@pushfleet/domain';

/**
 * A code speaks about the whole request, and may say until when, about the device it was sent to, or says that the message
 * was taken before.
 */
export type CodeRow = { readonly words: string } & (
  | { readonly fault: FaultCode; readonly until?: 'midnight' }
  | { readonly device: DiscardReason }
  | { readonly accepted: true }
);

export const OK_CODE = '0';

/** Ask for a fresh access token and repeat the call. */
export const TOKEN_REFUSED: ReadonlySet<string> = new Set(['11', '29']);

/** The saved message is unknown or has expired: save it again. */
export const SAVED_MESSAGE_GONE = '31';

/** The `app_message_id` was used before. */
export const DUPLICATE = '32';

/** A malformed registration id has this code too; only the text tells it from a malformed message. */
export const INVALID_ARGUMENTS = '41';

/** OPPO open platform, "Addresses, common parameters and return codes"; 10001 to 10003 from its older edition. */
export const CODES: Readonly<Record<string, CodeRow>> = {
  32: { words: 'Data Duplicate', accepted: true },
  10000: { words: 'Invalid Registration_id', device: 'registration-gone' },
  10001: { words: 'registration id unsubscribed', device: 'registration-gone' },
  10002: { words: 'Invalid alias', device: 'message-rejected' },
  10003: { words: 'alias unsubscribed', device: 'message-rejected' },
  ...faults('vendor-error', { '-1': 'Service Currently Unavailable' }),
  ...faults('throttled', {
    '-2': 'Service in Flow Control',
    13: 'App Call Limited',
    55: 'App Call Frequency Limit',
    69: 'global limit error',
  }),
  ...spentToday({
    33: 'The number of messages exceeds the daily limit',
    34: 'The number of uploads exceeds the daily limit',
    42: 'The number of saved messages exceeds the daily limit',
  }),
  ...faults('credentials-rejected', {
    11: 'Invalid AuthToken',
    14: 'Invalid App Key',
    15: 'Missing App Key',
    16: 'Invalid Signature',
    17: 'Missing Signature',
    18: 'Missing Timestamp',
    19: 'Invalid Timestamp',
    26: 'IP Black List',
    28: 'App Disabled',
    29: 'Missing Auth Token',
    30: 'Api Permission Denied',
  }),
  ...faults('message-rejected', {
    12: 'Http Action Not Allowed',
    20: 'Invalid Method',
    21: 'Missing Method',
    22: 'Missing Version',
    23: 'Invalid Version',
    24: 'Unsupported Version',
    25: 'Invalid Encoding',
    27: 'Access Denied',
    31: 'Data Not Exist',
    40: 'Missing Required Arguments',
    41: 'Invalid Arguments',
    51: 'Invalid Picture',
    54: 'private_msg_template_id is null',
    59: 'no permission for fallback link jump',
    67: 'Category error or notify_level invalid',
  }),
};
