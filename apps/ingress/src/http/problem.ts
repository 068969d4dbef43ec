import { ReceiptRefused, SectionProblem } from '@pushfleet/channel-kit';
import { type InputProblem } from '@pushfleet/domain';
import {
  COMMON_PROBLEMS,
  headersOf,
  jsonAnswer,
  Refusal as EdgeRefusal,
  type Dialect,
  type EdgeProblem,
  type ProblemRow,
} from '@pushfleet/http-edge';
import { AppFull, isUnreadableSecret, OpenPushesFull } from '@pushfleet/store';

/** What only this API can find wrong. */
type ApiProblem =
  | 'not-for-clients'
  | 'object-missing'
  | 'object-unnamed'
  | 'record-missing'
  | 'device-unnamed'
  | 'class-missing'
  | 'plan-quota'
  | 'no-effect';

export type Problem = InputProblem | EdgeProblem | ApiProblem;

/** Problems of one status: the code of each, and what it means. */
const answeredWith = <Some extends Problem>(
  status: number,
  problems: Readonly<Record<Some, readonly [code: number, meaning: string]>>,
): Readonly<Record<Some, ProblemRow>> =>
  Object.fromEntries(
    Object.entries<readonly [number, string]>(problems).map(([problem, [code, meaning]]) => [
      problem,
      { status, code, meaning },
    ]),
  ) as Record<Some, ProblemRow>;

/** The status and the code of the 1.1 API for each problem; what is beyond a limit is the problem of the code in the limit's row. */
export const PROBLEMS: Readonly<Record<Problem, ProblemRow>> = {
  ...answeredWith(400, {
    misconfigured: [1, 'Hybrid push is on, but no vendor has a profile named `_default`.'],
    'object-missing': [1, 'The object to be changed does not exist.'],
    'invalid-query': [102, '`where`, `order`, `keys` or a cursor cannot be understood.'],
    'key-name': [105, 'A field has a name that no field can have.'],
    'malformed-json': [107, 'The body is not JSON.'],
    'wrong-type': [111, 'A field, or the body itself, is of the wrong type or form; the message names it.'],
    'client-id': [4103, 'A client id of a chat server has a form that none can have.'],
    'channel-name': [112, 'A channel has a name that no channel can have.'],
    'required-field': [113, 'A field is missing; the message names it.'],
    'expiration-conflict': [115, '`expiration_time` and `expiration_interval` exclude each other.'],
    'push-time': [152, '`push_time` is not a date.'],
    'plan-quota': [140, 'The app has reached as many devices as it may on one day.'],
    threshold: [
      154,
      'Too many of something: devices or elements of one call, channels or fields of an installation, pushes that wait.',
    ],
    'invalid-cql': [300, '`cql` cannot be understood.'],
    'no-effect': [305, 'The condition did not hold: nothing was changed.'],
    'malformed-url': [400, 'The address is not well-formed.'],
    'malformed-http': [400, 'The request cannot be read as HTTP.'],
  }),
  unauthorised: { status: 401, code: 401, meaning: 'The app is not known, or its key or signature is wrong.' },
  'not-for-clients': { status: 403, code: 119, meaning: 'The app key is not enough: the master key is needed.' },
  'object-unnamed': { status: 404, code: 101, meaning: 'The address ends where the id of an object belongs.' },
  'record-missing': { status: 404, code: 101, meaning: 'The app has no push of this id, or none any more.' },
  'device-unnamed': {
    status: 400,
    code: 135,
    meaning: 'A new installation names neither installationId nor deviceToken nor deviceType.',
  },
  'class-missing': { status: 404, code: 101, meaning: 'There is no such class here.' },
  'route-unknown': COMMON_PROBLEMS['route-unknown'],
  'method-unknown': COMMON_PROBLEMS['method-unknown'],
  'too-slow': { status: 408, code: 400, meaning: 'The request arrives too slowly.' },
  'too-large': COMMON_PROBLEMS['too-large'],
  'unsupported-encoding': COMMON_PROBLEMS['unsupported-encoding'],
  'headers-too-large': COMMON_PROBLEMS['headers-too-large'],
  'too-many-calls': {
    status: 429,
    code: 429,
    meaning:
      'More pushes in a minute, more saves or queries from one address, more installations than the app may have, its mutes and bindings among their bytes, or too much of a Redis that fills in pushes that are not done; the message names the limit, `Retry-After` tells when it is served again.',
  },
  defect: { status: 500, code: 1, meaning: 'A defect of the service; the message names the request for the operator.' },
  unavailable: {
    status: 503,
    code: 503,
    retryAfterSeconds: 1,
    meaning: 'The service cannot answer now. The request may have taken effect: repeat pushes with the same `req_id`.',
  },
};

/** Problems of requests that never come to an operation. */
export const UNROUTED: readonly Problem[] = ['malformed-http', 'method-unknown', 'headers-too-large'];

/** A request is refused; `message` is safe to show to the caller. */
export class Refusal extends EdgeRefusal<Problem> {}

const isProblem = (problem: string): problem is Problem => Object.hasOwn(PROBLEMS, problem);

const rowOf = (problem: string): ProblemRow => PROBLEMS[isProblem(problem) ? problem : 'defect'];

/** Room comes with what is deleted, or with a higher ceiling: nothing that happens within seconds. */
const APP_FULL_RETRY_SECONDS = 60;
/** The fleet looks every few seconds. */
const PUSHES_FULL_RETRY_SECONDS = 10;

const UNAVAILABLE = 'The service is not available at the moment; the request may or may not have taken effect.';

/** How the 1.1 API speaks of errors. */
export const apiDialect: Dialect = {
  diagnose(error) {
    if (error instanceof SectionProblem) return { problem: 'wrong-type', message: error.message };
    if (error instanceof ReceiptRefused)
      return { problem: 'unauthorised', message: 'The callback does not carry the credential of its profile.' };
    if (error instanceof AppFull)
      return { problem: 'too-many-calls', message: error.message, retryAfterSeconds: APP_FULL_RETRY_SECONDS };
    if (error instanceof OpenPushesFull)
      return { problem: 'too-many-calls', message: error.message, retryAfterSeconds: PUSHES_FULL_RETRY_SECONDS };
    // Another process may have the right key.
    return isUnreadableSecret(error) ? { problem: 'unavailable', message: UNAVAILABLE } : undefined;
  },
  texts: {
    unavailable: UNAVAILABLE,
    full: 'The service takes nothing new at the moment; the request has had no effect.',
    malformedUrl: 'The address is not well-formed.',
    defect: (requestId) => `Internal error. Request ${requestId}.`,
  },
  answer(diagnosis) {
    const { status, code, retryAfterSeconds } = rowOf(diagnosis.problem);
    return jsonAnswer(status, { code, error: diagnosis.message }, headersOf(diagnosis, retryAfterSeconds));
  },
  headers: ['cache-control', 'no-cache,no-store'],
  originHeaders: ['access-control-allow-origin', '*', 'access-control-expose-headers', 'location, retry-after'],
};
