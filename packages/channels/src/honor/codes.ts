import { faults, type CodeRow } from '@pushfleet/channel-kit';

/** With these the lists of failed and expired tokens tell the devices apart. */
export const OK_CODES: ReadonlySet<string> = new Set(['200', '80000000', '80100000']);
/** An expired token is dead, a failed one is not. */
export const EXPIRED_TOKEN = { code: 'expireTokens', words: 'the token has expired' } as const;
export const FAILED_TOKEN = { code: 'failTokens', words: 'the message could not be sent to the token' } as const;

/** Honor "Push Kit: downlink message", 2024-10-11; its codes have the layout and meaning of its parent's. */
export const CODES: Readonly<Record<string, CodeRow>> = {
  80200001: { words: 'OAuth authentication error', token: 'refused' },
  80200003: { words: 'OAuth token expired', token: 'refused' },
  80300007: { words: 'all tokens are invalid', devices: 'registration-gone' },
  ...faults('message-rejected', {
    80100001: 'bad parameter',
    80100003: 'incorrect message structure',
    80100004: 'incorrect message lifetime',
    80100016: 'the message contains sensitive information',
  }),
  ...faults('payload-too-large', { 80300008: 'the message body is too large' }),
  ...faults('batch-refused', { 80300010: 'too many tokens' }),
  ...faults('credentials-rejected', { 80300002: 'the app is not permitted to send' }),
  ...faults('vendor-error', { 80600003: 'the OAuth service could not be reached', 81000001: 'internal error' }),
};

/** HTTP status codes, consulted when the body holds no code that is known. 403 is seen for an invalid access token. */
export const STATUSES: Readonly<Record<number, CodeRow>> = {
  400: { words: 'bad request', fault: 'message-rejected' },
  401: { words: 'unauthorized', token: 'refused' },
  403: { words: 'the access token is invalid or lacks the right', token: 'refused' },
  404: { words: 'wrong address or app id', fault: 'credentials-rejected' },
  413: { words: 'the request is too large', fault: 'payload-too-large' },
  503: { words: 'flow control', fault: 'throttled' },
};
