import { type z } from 'zod';

interface Detail {
  readonly path: string;
  readonly message: string;
}

/** The caller's mistake, named by field. */
export class BadRequest extends Error {
  readonly code = 'bad-request';

  constructor(readonly details: readonly Detail[]) {
    super(details.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; '));
    this.name = 'BadRequest';
  }
}

const detailsOf = (issue: z.core.$ZodIssue): Detail[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((path) => ({ path, message: 'is not a field of this request' }))
    : [{ path: issue.path.join('.'), message: issue.message }];

export function parseOrRefuse<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input, {
    error: (issue) => (issue.input === undefined && issue.code === 'invalid_type' ? 'is required' : undefined),
  });
  if (parsed.success) return parsed.data;
  throw new BadRequest(parsed.error.issues.flatMap(detailsOf));
}
