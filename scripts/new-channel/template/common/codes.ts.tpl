import { type CodeRow } from '@pushfleet/channel-kit';

/** Some devices may be refused all the same: `refused` lists them. */
export const OK_CODE = '0';
export const REFUSED_TOKEN = { code: 'refused', words: 'the token is not registered' } as const;

/** Title and date of the vendor's document. A code that nobody documents is not in this table. */
export const CODES: Readonly<Record<string, CodeRow>> = {
  1001: { words: 'access token invalid or expired', token: 'refused' },
  1002: { words: 'the app may not send', fault: 'credentials-rejected' },
  2001: { words: 'message malformed', fault: 'message-rejected' },
  2002: { words: 'message too large', fault: 'payload-too-large' },
  2003: { words: 'too many tokens', fault: 'batch-refused' },
  3001: { words: 'sending too fast', fault: 'throttled' },
  3002: { words: 'quota of the day used up', fault: 'quota-exceeded' },
  4001: { words: 'none of the tokens is registered', devices: 'registration-gone' },
  5001: { words: 'internal error', fault: 'vendor-error' },
};

/** HTTP status codes, consulted when the body holds no code that is known. */
export const STATUSES: Readonly<Record<number, CodeRow>> = {
  401: { words: 'unauthorized', token: 'refused' },
  413: { words: 'the request is too large', fault: 'payload-too-large' },
};
