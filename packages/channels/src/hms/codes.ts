import { faults, type CodeRow } from '@pushfleet/channel-kit';

export const OK_CODE = '80000000';
/** The message text then is JSON that names the refused tokens; the others have got the message. */
export const PARTLY_OK = { code: '80100000', words: 'illegal_tokens: the token is invalid' } as const;

/** 82000001 to 82000013 speak of topics, which nobody addresses. */
const TOPIC_CODES = Object.fromEntries(
  Array.from({ length: 13 }, (_, i): [number, CodeRow] => [
    82000001 + i,
    { words: 'Topic error.', fault: 'message-rejected' },
  ]),
);

/** Huawei "Push Kit REST API: sending messages, v1/v2", response codes; copy dated 2025-08. */
export const CODES: Readonly<Record<string, CodeRow>> = {
  80200001: { words: 'OAuth authentication error.', token: 'refused' },
  80200003: { words: 'OAuth token expired.', token: 'refused' },
  80200005: { words: 'JWT expired.', token: 'refused' },
  80300007: { words: 'All the tokens are invalid.', devices: 'registration-gone' },
  ...faults('message-rejected', {
    80100001: 'Some request parameters are incorrect.',
    80100003: 'Incorrect message structure.',
    80100004: 'The message expiration time is incorrect.',
    80100013: 'The collapse_key message field is invalid.',
    80100016: 'The message contains sensitive information.',
    80100018: 'The review signature does not match.',
    80300011: 'Not authorized to send high-priority data messages.',
  }),
  ...faults('payload-too-large', { 80300008: 'The message body size exceeds the default value.' }),
  ...faults('batch-refused', {
    80100002: 'The number of tokens must be 1.',
    80300010: 'The number of tokens in the message body exceeds the default value.',
  }),
  ...faults('credentials-rejected', {
    80300002: 'The app does not have the permission to send messages.',
    80300013: 'Invalid receipt address or receipt id.',
  }),
  ...faults('throttled', { 80100017: 'A maximum of 100 topic-based messages can be sent at the same time.' }),
  ...faults('vendor-error', {
    80600003: 'Failed to request the OAuth service.',
    81000001: 'An internal error of the system occurred.',
  }),
  ...TOPIC_CODES,
};

/** The same document, HTTP status codes; consulted when the body holds no code that is known. */
export const STATUSES: Readonly<Record<number, CodeRow>> = {
  400: { words: 'Bad Request: incorrect parameters.', fault: 'message-rejected' },
  401: { words: 'Unauthorized: authentication failed.', token: 'refused' },
  404: { words: 'Not Found: wrong URI or app id.', fault: 'credentials-rejected' },
  413: { words: 'The request is too large.', fault: 'payload-too-large' },
  503: { words: 'Service Unavailable: flow control.', fault: 'throttled' },
};
