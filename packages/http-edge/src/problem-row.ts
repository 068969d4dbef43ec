/** How a problem is answered. */
export interface ProblemRow {
  readonly status: number;
  readonly code: number;
  readonly retryAfterSeconds?: number;
  /** For readers of the reference. */
  readonly meaning: string;
}

/** What every service that numbers its problems answers alike. */
export const COMMON_PROBLEMS = {
  'route-unknown': { status: 404, code: 404, meaning: 'There is nothing at this address.' },
  'method-unknown': { status: 405, code: 405, meaning: 'The address takes other methods; `Allow` names them.' },
  'too-large': { status: 413, code: 413, meaning: 'The body is larger than it may be; the message names the limit.' },
  'unsupported-encoding': {
    status: 415,
    code: 415,
    meaning: 'The body is compressed in a way that is not known: `gzip` and `deflate` are.',
  },
  'headers-too-large': { status: 431, code: 413, meaning: 'The headers or the address are too long.' },
} as const satisfies Readonly<Record<string, ProblemRow>>;
