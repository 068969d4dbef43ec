import { type RequestRow } from '@pushfleet/channel-kit';

export const OK_CODE = 0;

/** The vendor has no code of its own for "every registration is invalid": 20301 with this reason means it. */
export const NO_VALID_TARGETS = { code: 20301, reason: 'No valid targets!' } as const;

/** Xiaomi "Error codes", 2024-10-18. */
export const CODES: Readonly<Record<string, RequestRow>> = {
  '-1': { words: 'unknown error', fault: 'vendor-error' },
  1: { words: 'unknown error', fault: 'vendor-error' },
  10001: { words: 'system error', fault: 'vendor-error' },
  10002: { words: 'service busy', fault: 'vendor-error' },
  10003: { words: 'remote service error', fault: 'vendor-error' },
  20607: { words: 'database error', fault: 'vendor-error' },
  26003: { words: 'internal error', fault: 'vendor-error' },
  10037: { words: 'request expired', fault: 'vendor-error' },
  22102: { words: 'sending failed', fault: 'vendor-error' },

  10022: { words: 'IP over frequency', fault: 'throttled' },
  10023: { words: 'user over frequency', fault: 'throttled' },
  10024: { words: 'user over frequency on this interface', fault: 'throttled' },
  10027: { words: 'API called too frequently', fault: 'throttled' },
  10039: { words: 'statistics asked for too often', fault: 'throttled' },
  10030: { words: 'invalid-regid feedback read too often', fault: 'throttled' },
  200002: { words: 'QPS exceeded', fault: 'throttled' },
  26004: { words: 'broadcast too often', fault: 'throttled' },

  200001: { words: 'exceed quota', fault: 'quota-exceeded' },
  10034: { words: 'daily message count exceeded', fault: 'quota-exceeded' },

  21301: { words: 'authentication failed', fault: 'credentials-rejected' },
  21302: { words: 'token authentication failed', fault: 'credentials-rejected' },
  21303: { words: 'authentication restricted', fault: 'credentials-rejected' },
  21305: { words: 'missing parameter', fault: 'credentials-rejected' },
  22000: { words: 'illegal application', fault: 'credentials-rejected' },
  22006: { words: 'illegal application id', fault: 'credentials-rejected' },
  22007: { words: 'illegal application key', fault: 'credentials-rejected' },
  22022: { words: 'illegal package name', fault: 'credentials-rejected' },
  10026: { words: 'application is blacklisted', fault: 'credentials-rejected' },
  10031: { words: 'application is blacklisted, sending forbidden', fault: 'credentials-rejected' },
  10036: { words: 'sending forbidden', fault: 'credentials-rejected' },
  26006: { words: 'application needs review', fault: 'credentials-rejected' },
  10025: { words: 'bad callback address', fault: 'credentials-rejected' },
  65036: { words: 'callback parameter too long', fault: 'credentials-rejected' },
  65037: { words: 'callback address too long', fault: 'credentials-rejected' },
  65038: { words: 'callback address illegal', fault: 'credentials-rejected' },
  10038: { words: 'statistics not allowed', fault: 'credentials-rejected' },

  10008: { words: 'parameter error', fault: 'message-rejected' },
  10012: { words: 'illegal request', fault: 'message-rejected' },
  10016: { words: 'required parameter missing', fault: 'message-rejected' },
  10017: { words: 'parameter value illegal', fault: 'message-rejected' },
  10018: { words: 'request too long', fault: 'message-rejected' },
  20209: { words: 'bad topic', fault: 'message-rejected' },
  20301: { words: 'sending failed', fault: 'message-rejected' },
  20315: { words: 'bad topic', fault: 'message-rejected' },
  27001: { words: 'channel information missing, mismatched or invalid', fault: 'message-rejected' },
  65009: { words: 'message too long', fault: 'message-rejected' },
  65014: { words: 'too many key-value pairs', fault: 'message-rejected' },
  65015: { words: 'key or value too long', fault: 'message-rejected' },

  10029: { words: 'invalid device', device: 'registration-gone', mayPass: true },
  65003: { words: 'device not found, usually offline', device: 'registration-gone', mayPass: true },
};
