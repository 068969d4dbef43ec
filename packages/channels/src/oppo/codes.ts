import { type FaultCode } from '@pushfleet/channel-kit';
import { type DiscardReason } from '@pushfleet/domain';

/** A code speaks about the whole request, about the device it was sent to, or says that the message was taken before. */
export type CodeRow = { readonly words: string } & (
  { readonly fault: FaultCode } | { readonly device: DiscardReason } | { readonly accepted: true }
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
  '-1': { words: 'Service Currently Unavailable', fault: 'vendor-error' },

  '-2': { words: 'Service in Flow Control', fault: 'throttled' },
  13: { words: 'App Call Limited', fault: 'throttled' },
  55: { words: 'App Call Frequency Limit', fault: 'throttled' },
  69: { words: 'global limit error', fault: 'throttled' },

  33: { words: 'The number of messages exceeds the daily limit', fault: 'quota-exceeded' },
  34: { words: 'The number of uploads exceeds the daily limit', fault: 'quota-exceeded' },
  42: { words: 'The number of saved messages exceeds the daily limit', fault: 'quota-exceeded' },

  11: { words: 'Invalid AuthToken', fault: 'credentials-rejected' },
  14: { words: 'Invalid App Key', fault: 'credentials-rejected' },
  15: { words: 'Missing App Key', fault: 'credentials-rejected' },
  16: { words: 'Invalid Signature', fault: 'credentials-rejected' },
  17: { words: 'Missing Signature', fault: 'credentials-rejected' },
  18: { words: 'Missing Timestamp', fault: 'credentials-rejected' },
  19: { words: 'Invalid Timestamp', fault: 'credentials-rejected' },
  26: { words: 'IP Black List', fault: 'credentials-rejected' },
  28: { words: 'App Disabled', fault: 'credentials-rejected' },
  29: { words: 'Missing Auth Token', fault: 'credentials-rejected' },
  30: { words: 'Api Permission Denied', fault: 'credentials-rejected' },

  12: { words: 'Http Action Not Allowed', fault: 'message-rejected' },
  20: { words: 'Invalid Method', fault: 'message-rejected' },
  21: { words: 'Missing Method', fault: 'message-rejected' },
  22: { words: 'Missing Version', fault: 'message-rejected' },
  23: { words: 'Invalid Version', fault: 'message-rejected' },
  24: { words: 'Unsupported Version', fault: 'message-rejected' },
  25: { words: 'Invalid Encoding', fault: 'message-rejected' },
  27: { words: 'Access Denied', fault: 'message-rejected' },
  31: { words: 'Data Not Exist', fault: 'message-rejected' },
  40: { words: 'Missing Required Arguments', fault: 'message-rejected' },
  41: { words: 'Invalid Arguments', fault: 'message-rejected' },
  51: { words: 'Invalid Picture', fault: 'message-rejected' },
  54: { words: 'private_msg_template_id is null', fault: 'message-rejected' },
  59: { words: 'no permission for fallback link jump', fault: 'message-rejected' },
  67: { words: 'Category error or notify_level invalid', fault: 'message-rejected' },

  32: { words: 'Data Duplicate', accepted: true },

  10000: { words: 'Invalid Registration_id', device: 'registration-gone' },
  10001: { words: 'registration id unsubscribed', device: 'registration-gone' },
  10002: { words: 'Invalid alias', device: 'message-rejected' },
  10003: { words: 'alias unsubscribed', device: 'message-rejected' },
};
