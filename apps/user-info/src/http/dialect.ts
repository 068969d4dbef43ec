import { isMacRefusal } from '@pushfleet/mac-auth';
import {
  headersOf,
  MethodRefusal,
  type Answer,
  type Diagnosis,
  type Dialect,
  type EdgeProblem,
} from '@pushfleet/http-edge';
import { PROBLEMS, type ErrorCode } from './problem';

const RETRY_AFTER_SECONDS = 1;
const DEFECT = 'the service cannot answer at the moment';

/** What the edge finds wrong by itself, as this API calls it. */
const EDGE_PROBLEMS: Readonly<Record<EdgeProblem, ErrorCode>> = {
  'malformed-url': 'invalid_request',
  'malformed-http': 'invalid_request',
  'headers-too-large': 'invalid_request',
  'unsupported-encoding': 'invalid_request',
  'too-slow': 'invalid_request',
  'method-unknown': 'invalid_request',
  unauthorised: 'access_denied',
  'route-unknown': 'not_found',
  'too-many-calls': 'slow_down',
  unavailable: 'server_error',
  defect: 'server_error',
};

const isError = (problem: string): problem is ErrorCode => Object.hasOwn(PROBLEMS, problem);
const isOfEdge = (problem: string): problem is EdgeProblem => Object.hasOwn(EDGE_PROBLEMS, problem);

/** The error that callers are told for a problem. */
export function errorOf(problem: string): ErrorCode {
  if (isError(problem)) return problem;
  return isOfEdge(problem) ? EDGE_PROBLEMS[problem] : 'server_error';
}

/** How the user information API speaks of errors. */
export const userInfoDialect = (now: () => number): Dialect => ({
  diagnose(error) {
    if (isMacRefusal(error)) return { problem: error.code, message: error.message };
    if (!(error instanceof MethodRefusal)) return undefined;
    const { problem, allow } = error;
    return { problem, allow, message: `the method must be ${allow.join(' or ')}` };
  },
  texts: {
    unavailable: DEFECT,
    full: DEFECT,
    malformedUrl: 'the address is not well-formed',
    defect: () => DEFECT,
  },
  answer: (diagnosis) => problemAnswer(diagnosis, now()),
  headers: ['cache-control', 'no-store'],
  isPlain: true,
});

function problemAnswer(diagnosis: Diagnosis, nowMs: number): Answer {
  const { problem, message } = diagnosis;
  const error = errorOf(problem);
  const { code, status: usual } = PROBLEMS[error];
  const status = problem === 'method-unknown' ? 405 : usual;
  const data = { code, msg: message, error, error_description: message };
  // RFC 9110, section 11.6.1: a 401 names the scheme that is asked for.
  const challenge: Answer['headers'] = status === 401 ? { 'www-authenticate': 'MAC' } : {};
  const retryAfterSeconds = error === 'server_error' ? RETRY_AFTER_SECONDS : diagnosis.retryAfterSeconds;
  const headers = { ...challenge, ...headersOf({ ...diagnosis, retryAfterSeconds }) };
  return { status, body: envelope(false, data, nowMs), headers };
}

export const userAnswer = (data: object, nowMs: number): Answer => ({ status: 200, body: envelope(true, data, nowMs) });

/**
 * Every answer is an envelope `{success, data, now}` that repeats the fields of `data` at the top: the vendor's SDKs
 * read the envelope, its documents show the fields alone. `now` is in whole seconds; SDKs set their clocks by it.
 */
const envelope = (success: boolean, data: object, nowMs: number): string =>
  JSON.stringify({ success, data, now: Math.floor(nowMs / 1000), ...data });
