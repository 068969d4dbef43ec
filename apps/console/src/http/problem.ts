import { COMMON_PROBLEMS, Refusal, type EdgeProblem, type ProblemRow } from '@pushfleet/http-edge';

/** What only this API finds wrong. */
type AdminProblem =
  'malformed-json' | 'invalid' | 'forbidden' | 'not-found' | 'conflict' | 'too-large' | 'unsupported-type';

export type ProblemKind = AdminProblem | EdgeProblem;

/** The only place where an error becomes an HTTP status and a code of the admin API. */
export const PROBLEMS: Readonly<Record<ProblemKind, ProblemRow>> = {
  'malformed-json': { status: 400, code: 107, meaning: 'The body is not JSON, or nests too deep.' },
  invalid: { status: 400, code: 111, meaning: 'Fields are missing or wrong; `details` names every one of them.' },
  'malformed-url': { status: 400, code: 111, meaning: 'The address is not well-formed.' },
  'malformed-http': { status: 400, code: 111, meaning: 'The request cannot be read as HTTP.' },
  unauthorised: { status: 401, code: 401, meaning: 'Token or session are missing, wrong or over.' },
  forbidden: {
    status: 403,
    code: 403,
    meaning: 'The role of the caller does not reach so far, or does not hold for this app; or another site asks.',
  },
  'not-found': { status: 404, code: 404, meaning: 'What the address names does not exist.' },
  'route-unknown': COMMON_PROBLEMS['route-unknown'],
  'method-unknown': COMMON_PROBLEMS['method-unknown'],
  'too-slow': { status: 408, code: 408, meaning: 'The request arrives too slowly.' },
  conflict: { status: 409, code: 409, meaning: 'It does not go together with what is stored; the message says how.' },
  'too-large': COMMON_PROBLEMS['too-large'],
  'unsupported-type': { status: 415, code: 415, meaning: 'The body does not call itself JSON.' },
  'unsupported-encoding': COMMON_PROBLEMS['unsupported-encoding'],
  'too-many-calls': {
    status: 429,
    code: 429,
    meaning:
      'Too many wrong tokens or passwords came from this address or with this name, or too many reads of the caller wait, and `Retry-After` tells when it is heard again; or an import brings more installations than the app may have, or the app has no push left of its minute, and the message names the limit.',
  },
  'headers-too-large': COMMON_PROBLEMS['headers-too-large'],
  defect: { status: 500, code: 1, meaning: 'A defect of the console; the message names the request for its log.' },
  unavailable: {
    status: 503,
    code: 503,
    retryAfterSeconds: 2,
    meaning:
      'Redis or the push API cannot serve now, or the work took too long: it may have been done all the same, unless the message says that it was not.',
  },
};

export interface Detail {
  /** Of the field, with dots; '' is the body itself. */
  readonly path: string;
  readonly message: string;
}

/** Ends a request with an answer that the caller may read. */
export class Problem extends Refusal<ProblemKind> {
  override readonly name = 'Problem';

  constructor(
    problem: ProblemKind,
    message: string,
    readonly details: readonly Detail[] = [],
  ) {
    super(problem, message);
  }
}

/** One problem that names every field that is wrong. */
export function invalidFields(details: readonly Detail[]): Problem {
  const lines = details.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return new Problem('invalid', lines.join('; '), details);
}
