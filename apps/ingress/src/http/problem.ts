import { isUnreadableSecret, RedisFull } from '@pushfleet/store';
import { isRedisAway } from '../redis-away';
import { jsonAnswer, type Answer } from './answer';
import { InvalidInput, type InputProblem } from '@pushfleet/domain';
import { ReceiptRefused, SectionProblem } from '@pushfleet/channel-kit';

/** What only the HTTP edge can find wrong. */
type EdgeProblem =
  | 'malformed-url'
  | 'unsupported-encoding'
  | 'unauthorised'
  | 'not-for-clients'
  | 'object-missing'
  | 'class-missing'
  | 'plan-quota'
  | 'too-many-calls'
  | 'no-effect'
  | 'route-unknown'
  | 'unavailable'
  | 'defect';

export type Problem = InputProblem | EdgeProblem;

interface Row {
  readonly status: number;
  readonly code: number;
  readonly retryAfterSeconds?: number;
  /** For readers of the reference. */
  readonly meaning: string;
}

/** The only place where an error becomes an HTTP status and a code of the 1.1 API. */
export const PROBLEMS: Readonly<Record<Problem, Row>> = {
  misconfigured: { status: 400, code: 1, meaning: 'Hybrid push is on, but no vendor has a profile named `_default`.' },
  'object-missing': { status: 400, code: 1, meaning: 'The object to be changed does not exist.' },
  'invalid-query': { status: 400, code: 102, meaning: '`where`, `order`, `keys` or a cursor cannot be understood.' },
  'key-name': { status: 400, code: 105, meaning: 'A field has a name that no field can have.' },
  'malformed-json': { status: 400, code: 107, meaning: 'The body is not JSON.' },
  'wrong-type': {
    status: 400,
    code: 111,
    meaning: 'A field, or the body itself, is of the wrong type or form; the message names it.',
  },
  'channel-name': { status: 400, code: 112, meaning: 'A channel has a name that no channel can have.' },
  'required-field': { status: 400, code: 113, meaning: 'A field is missing; the message names it.' },
  'expiration-conflict': {
    status: 400,
    code: 115,
    meaning: '`expiration_time` and `expiration_interval` exclude each other.',
  },
  'push-time': { status: 400, code: 152, meaning: '`push_time` is not a date.' },
  'plan-quota': { status: 400, code: 140, meaning: 'The app has reached as many devices as it may on one day.' },
  threshold: {
    status: 400,
    code: 154,
    meaning:
      'Too many of something: devices or elements of one call, channels or fields of an installation, pushes that wait.',
  },
  'invalid-cql': { status: 400, code: 300, meaning: '`cql` cannot be understood.' },
  'no-effect': { status: 400, code: 305, meaning: 'The condition did not hold: nothing was changed.' },
  'malformed-url': { status: 400, code: 400, meaning: 'The address is not well-formed.' },
  unauthorised: { status: 401, code: 401, meaning: 'The app is not known, or its key or signature is wrong.' },
  'not-for-clients': { status: 403, code: 119, meaning: 'The app key is not enough: the master key is needed.' },
  'class-missing': { status: 404, code: 101, meaning: 'There is no such class here.' },
  'route-unknown': { status: 404, code: 404, meaning: 'There is nothing at this address.' },
  'too-large': { status: 413, code: 413, meaning: 'The body is larger than it may be; the message names the limit.' },
  'unsupported-encoding': { status: 415, code: 415, meaning: 'The body is compressed.' },
  'too-many-calls': {
    status: 429,
    code: 429,
    meaning: 'The app made too many calls in a minute; `Retry-After` tells when it is served again.',
  },
  defect: { status: 500, code: 1, meaning: 'A defect of the service; the message names the request for the operator.' },
  unavailable: {
    status: 503,
    code: 503,
    retryAfterSeconds: 1,
    meaning: 'The service cannot answer now. The request may have taken effect: repeat pushes with the same `req_id`.',
  },
};

/** The edge refuses a request; `message` is safe to show to the caller. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly problem: Problem,
    message: string,
    /** Instead of what the table says. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }
}

export interface Diagnosis {
  readonly problem: Problem;
  /** For the caller. */
  readonly message: string;
  readonly retryAfterSeconds?: number | undefined;
}

const UNAVAILABLE = 'The service is not available at the moment; the request may or may not have taken effect.';
const FULL = 'The service takes nothing new at the moment; the request has had no effect.';
/** What is queued has to drain first. */
const FULL_RETRY_SECONDS = 10;
const DEFECT = 'Internal error.';

export const unavailable = (): Refusal => new Refusal('unavailable', UNAVAILABLE);

export function diagnose(error: unknown): Diagnosis {
  if (error instanceof Refusal || error instanceof InvalidInput) return error;
  if (error instanceof SectionProblem) return { problem: 'wrong-type', message: error.message };
  if (error instanceof ReceiptRefused)
    return { problem: 'unauthorised', message: 'The callback does not carry the credential of its profile.' };
  if (error instanceof URIError) return { problem: 'malformed-url', message: 'The address is not well-formed.' };
  if (error instanceof RedisFull)
    return { problem: 'unavailable', message: FULL, retryAfterSeconds: FULL_RETRY_SECONDS };
  // Another process may have the right key.
  if (isUnreadableSecret(error) || isRedisAway(error)) return { problem: 'unavailable', message: UNAVAILABLE };
  return { problem: 'defect', message: DEFECT };
}

export const problemBody = ({ problem, message }: Diagnosis): { code: number; error: string } => ({
  code: PROBLEMS[problem].code,
  error: message,
});

export function problemAnswer(diagnosis: Diagnosis): Answer {
  const { status, retryAfterSeconds: usual } = PROBLEMS[diagnosis.problem];
  const { retryAfterSeconds = usual } = diagnosis;
  const headers = retryAfterSeconds === undefined ? undefined : { 'retry-after': String(retryAfterSeconds) };
  return jsonAnswer(status, problemBody(diagnosis), headers);
}
