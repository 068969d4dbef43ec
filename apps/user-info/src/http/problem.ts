import { Refusal as EdgeRefusal } from '@pushfleet/http-edge';

interface Row {
  readonly status: number;
  /** Fixed for good: reports of callers are looked up by it. */
  readonly code: number;
  readonly meaning: string;
  /** What the caller has to do. */
  readonly handling: string;
}

/**
 * The only place where an error becomes an HTTP answer. Names, meanings and handling are those of the User Information
 * API, Errors; the numbers are ours.
 */
export const PROBLEMS = {
  invalid_request: {
    status: 400,
    code: 40001,
    meaning: 'A required parameter is missing, a parameter or value is unsupported, or the format is wrong.',
    handling: 'Correct the request; do not repeat it as it is.',
  },
  invalid_time: {
    status: 400,
    code: 40002,
    meaning: '`ts` is too far from the time of the server.',
    handling: 'Take the time of the server from `now`, sign anew and repeat at once, a single time.',
  },
  replay_attacks: {
    status: 400,
    code: 40003,
    meaning: 'A request with this token, `ts` and `nonce` was received before.',
    handling: 'Sign anew, with a fresh `nonce`.',
  },
  invalid_client: {
    status: 401,
    code: 40101,
    meaning: '`client_id` is not known, or is not the one that the token was issued for.',
    handling: 'Send the Client ID of the app that the user authorized.',
  },
  access_denied: {
    status: 401,
    code: 40102,
    meaning: 'The token is not valid or not valid any more, or `mac` is not that of this request.',
    handling: 'Drop the local login and make the user log in again.',
  },
  forbidden: {
    status: 403,
    code: 40301,
    meaning: 'The user lacks permission for the action.',
    handling: 'Do not repeat the request; logging in again does not help.',
  },
  insufficient_scope: {
    status: 403,
    code: 40302,
    meaning: 'The token was not issued for what this address tells.',
    handling: 'Ask for what its `scope` allows, or let the user authorize the app again with a wider scope.',
  },
  not_found: {
    status: 404,
    code: 40401,
    meaning: 'The resource, or the user, does not exist.',
    handling: 'Do not repeat the request with the same parameters.',
  },
  slow_down: {
    status: 429,
    code: 42901,
    meaning:
      'Too many requests of this address, or with this token, were refused lately; or this token signs too many requests.',
    handling:
      'Wait as long as `Retry-After` says, correct what is wrong, and keep what was read. What others get wrong limits no right request.',
  },
  server_error: {
    status: 500,
    code: 50001,
    meaning: 'A fault of the server.',
    handling: 'Repeat after a wait, at most 3 attempts in all, then stop and tell the user.',
  },
} as const satisfies Record<string, Row>;

export type ErrorCode = keyof typeof PROBLEMS;

/** A request is refused; `message` is for the caller. */
export class Refusal extends EdgeRefusal<ErrorCode> {}

export const slowDown = (why: string, waitMs: number): Refusal =>
  new Refusal('slow_down', why, Math.max(1, Math.ceil(waitMs / 1000)));
