/** What the admin API answers when it does not do what was asked. */
const PROBLEMS = {
  'malformed-json': { status: 400, code: 107 },
  invalid: { status: 400, code: 111 },
  unauthorized: { status: 401, code: 401 },
  'not-found': { status: 404, code: 404 },
  conflict: { status: 409, code: 409 },
  'too-large': { status: 413, code: 413 },
  'unsupported-type': { status: 415, code: 415 },
  'too-many-guesses': { status: 429, code: 429 },
  unavailable: { status: 503, code: 503 },
  defect: { status: 500, code: 1 },
} as const satisfies Record<string, { status: number; code: number }>;

export type ProblemKind = keyof typeof PROBLEMS;

export interface Detail {
  /** Of the field, with dots; '' is the body itself. */
  readonly path: string;
  readonly message: string;
}

/** Ends a request with an answer that the caller may read. */
export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    readonly kind: ProblemKind,
    message: string,
    readonly details: readonly Detail[] = [],
  ) {
    super(message);
  }

  get status(): number {
    return PROBLEMS[this.kind].status;
  }

  body(): object {
    const { code } = PROBLEMS[this.kind];
    return { code, error: this.message, ...(this.details.length > 0 ? { details: this.details } : {}) };
  }
}

/** One problem that names every field that is wrong. */
export function invalidFields(details: readonly Detail[]): Problem {
  const lines = details.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return new Problem('invalid', lines.join('; '), details);
}
