import { type FaultCode } from '@pushfleet/channel-kit';
import { type DiscardReason } from '@pushfleet/domain';

/** A code speaks about the whole request, and may say until when, or about the device it was sent to. */
export type CodeRow = { readonly words: string } & (
  { readonly fault: FaultCode; readonly until?: 'midnight' | 'morning' } | { readonly device: DiscardReason }
);

export const OK_CODE = '0';

/** Ask for a fresh access token and repeat the call. */
export const TOKEN_REFUSED = '10000';

/** The saved payload is unknown or has expired: save it again. */
export const SAVED_PAYLOAD_GONE: ReadonlySet<string> = new Set(['10152', '10155']);

/** `invalidUser.status` and `invalidUsers[].status` (vivo push server API, "Single push"). */
export const USER_STATUS: Readonly<Record<string, { readonly words: string; readonly device: DiscardReason }>> = {
  1: { words: 'userid does not exist', device: 'registration-gone' },
  2: { words: 'uninstalled, unsubscribed or data cleared', device: 'registration-gone' },
  4: { words: 'not a test user', device: 'message-rejected' },
};

const rejected = (words: string): CodeRow => ({ words, fault: 'message-rejected' });
const misconfigured = (words: string): CodeRow => ({ words, fault: 'credentials-rejected' });
const throttled = (words: string): CodeRow => ({ words, fault: 'throttled' });
const spent = (words: string): CodeRow => ({ words, fault: 'quota-exceeded', until: 'midnight' });

const TAG_CODES = Object.fromEntries(Array.from({ length: 16 }, (_, i) => [10601 + i, rejected('tag management')]));

/** vivo push server API 2.9.2, "Return codes", and `ExceptionStatusEnum` of the vendor's server SDK 2.x. */
export const CODES: Readonly<Record<string, CodeRow>> = {
  10000: misconfigured('authentication failed'),
  10043: misconfigured('push channel of the app is closed'),
  10045: misconfigured('app under review, no formal messages'),
  10094: misconfigured('appId differs from the app of the token'),
  10200: misconfigured('appId is empty'),
  10201: misconfigured('appKey is empty'),
  10202: misconfigured('appKey is wrong'),
  10203: misconfigured('timestamp is empty'),
  10204: misconfigured('sign is empty'),
  10205: misconfigured('appId does not exist'),
  10206: misconfigured('sign is wrong'),
  10207: misconfigured('timestamp is illegal'),

  10093: throttled('authenticating too often'),
  10250: throttled('authentications over the limit'),
  10072: throttled('sending too fast'),
  10071: { words: 'outside the allowed sending window', fault: 'throttled', until: 'morning' },

  10070: spent('total send quota of the day used up'),
  10073: spent('system message quota of the day used up'),
  10252: spent('too many saveListPayload calls today'),
  10254: spent('too many full pushes today'),

  10302: { words: 'regId不合法', device: 'registration-gone' },
  10311: { words: 'device cannot be pushed now', device: 'notifications-off' },

  10050: rejected('regId and alias are empty'),
  10051: rejected('classification does not support this message type'),
  10054: rejected('notifyType is illegal'),
  10055: rejected('title is empty'),
  10056: rejected('title is too long'),
  10057: rejected('content is empty'),
  10058: rejected('content is too long'),
  10059: rejected('timeToLive is illegal'),
  10060: rejected('skipType is illegal'),
  10061: rejected('skipContent is empty (skipType 2)'),
  10062: rejected('skipContent is too long (skipType 2)'),
  10063: rejected('skipContent is empty (skipType 3)'),
  10064: rejected('skipContent is too long (skipType 3)'),
  10065: rejected('networkType is illegal'),
  10066: rejected('more than 10 custom pairs'),
  10067: rejected('custom pairs are illegal'),
  10068: rejected('skipContent is empty (skipType 4)'),
  10069: rejected('skipContent is too long (skipType 4)'),
  10082: rejected('system message switch is not enabled'),
  10095: rejected('notifyId is illegal'),
  10096: rejected('category is wrong'),
  10097: rejected('category does not match classification'),
  10103: rejected('sensitive content'),
  10104: rejected('please send a formal message'),
  10150: rejected('ids are empty'),
  10151: rejected('taskId is empty'),
  10152: rejected('taskId is illegal'),
  10153: rejected('regIds are not 2 to 1000'),
  10154: rejected('aliases are not 2 to 1000'),
  10155: rejected('message does not exist or has expired'),
  10301: rejected('alias is too long'),
  10304: rejected('unknown key in extra'),
  10305: rejected('callback is too long'),
  10306: rejected('callback.param is too long'),
  10352: rejected('requestId is empty'),
  10353: rejected('requestId is longer than 64'),
  10471: rejected('statistics of more than 100 tasks'),
  10473: rejected('statistics of no task'),
  10800: rejected('more than 100 registration tokens'),
  10801: rejected('notification is empty'),
  11000: rejected('classification is wrong'),
  ...TAG_CODES,
};
