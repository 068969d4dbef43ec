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
}

/** The only place where an error becomes an HTTP status and a code of the 1.1 API. */
export const PROBLEMS: Readonly<Record<Problem, Row>> = {
  misconfigured: { status: 400, code: 1 },
  'object-missing': { status: 400, code: 1 },
  'invalid-query': { status: 400, code: 102 },
  'key-name': { status: 400, code: 105 },
  'malformed-json': { status: 400, code: 107 },
  'wrong-type': { status: 400, code: 111 },
  'channel-name': { status: 400, code: 112 },
  'required-field': { status: 400, code: 113 },
  'expiration-conflict': { status: 400, code: 115 },
  'push-time': { status: 400, code: 152 },
  'plan-quota': { status: 400, code: 140 },
  threshold: { status: 400, code: 154 },
  'invalid-cql': { status: 400, code: 300 },
  'no-effect': { status: 400, code: 305 },
  'malformed-url': { status: 400, code: 400 },
  unauthorised: { status: 401, code: 401 },
  'not-for-clients': { status: 403, code: 119 },
  'class-missing': { status: 404, code: 101 },
  'route-unknown': { status: 404, code: 404 },
  'too-large': { status: 413, code: 413 },
  'unsupported-encoding': { status: 415, code: 415 },
  'too-many-calls': { status: 429, code: 429 },
  defect: { status: 500, code: 1 },
  unavailable: { status: 503, code: 503, retryAfterSeconds: 1 },
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
const DEFECT = 'Internal error.';

export const unavailable = (): Refusal => new Refusal('unavailable', UNAVAILABLE);

export function diagnose(error: unknown): Diagnosis {
  if (error instanceof Refusal || error instanceof InvalidInput) return error;
  if (error instanceof SectionProblem) return { problem: 'wrong-type', message: error.message };
  if (error instanceof ReceiptRefused)
    return { problem: 'unauthorised', message: 'The callback does not carry the credential of its profile.' };
  if (error instanceof URIError) return { problem: 'malformed-url', message: 'The address is not well-formed.' };
  if (isRedisAway(error)) return { problem: 'unavailable', message: UNAVAILABLE };
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
