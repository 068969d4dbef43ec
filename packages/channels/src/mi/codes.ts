import { faults, spentToday, type RequestRow } from '@pushfleet/channel-kit';

export const OK_CODE = 0;

/** The vendor has no code of its own for "every registration is invalid": 20301 with this reason means it. */
export const NO_VALID_TARGETS = { code: 20301, reason: 'No valid targets!' } as const;

/** Xiaomi "Error codes", 2024-10-18. */
export const CODES: Readonly<Record<string, RequestRow>> = {
  10029: { words: 'invalid device', device: 'registration-gone', mayPass: true },
  65003: { words: 'device not found, usually offline', device: 'registration-gone', mayPass: true },
  ...faults('vendor-error', {
    '-1': 'unknown error',
    1: 'unknown error',
    10001: 'system error',
    10002: 'service busy',
    10003: 'remote service error',
    20607: 'database error',
    26003: 'internal error',
    10037: 'request expired',
    22102: 'sending failed',
  }),
  ...faults('throttled', {
    10022: 'IP over frequency',
    10023: 'user over frequency',
    10024: 'user over frequency on this interface',
    10027: 'API called too frequently',
    10039: 'statistics asked for too often',
    10030: 'invalid-regid feedback read too often',
    200002: 'QPS exceeded',
    26004: 'broadcast too often',
  }),
  ...spentToday({ 200001: 'exceed quota', 10034: 'daily message count exceeded' }),
  ...faults('credentials-rejected', {
    21301: 'authentication failed',
    21302: 'token authentication failed',
    21303: 'authentication restricted',
    21305: 'missing parameter',
    22000: 'illegal application',
    22006: 'illegal application id',
    22007: 'illegal application key',
    22022: 'illegal package name',
    10026: 'application is blacklisted',
    10031: 'application is blacklisted, sending forbidden',
    10036: 'sending forbidden',
    26006: 'application needs review',
    10025: 'bad callback address',
    65036: 'callback parameter too long',
    65037: 'callback address too long',
    65038: 'callback address illegal',
    10038: 'statistics not allowed',
  }),
  ...faults('message-rejected', {
    10008: 'parameter error',
    10012: 'illegal request',
    10016: 'required parameter missing',
    10017: 'parameter value illegal',
    10018: 'request too long',
    20209: 'bad topic',
    20301: 'sending failed',
    20315: 'bad topic',
    27001: 'channel information missing, mismatched or invalid',
    65009: 'message too long',
    65014: 'too many key-value pairs',
    65015: 'key or value too long',
  }),
};
