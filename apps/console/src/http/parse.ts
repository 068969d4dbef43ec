import { plainWords } from '@pushfleet/domain';
import type { z } from 'zod';
import { invalidFields, type Detail } from './problem';

/** Reads a caller's input; throws a problem that names every violation. */
export function parse<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = readable(() => schema.safeParse(input, { error: plainWords }));
  if (parsed.success) return parsed.data;
  throw invalidFields(detailsOf(parsed.error));
}

/** The library compares the `length` of whatever has one, and throws when that is no number. */
export function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof TypeError) throw invalidFields([{ path: '', message: 'the body cannot be understood' }]);
    throw error;
  }
}

export const detailsOf = ({ issues }: Pick<z.core.$ZodError, 'issues'>): readonly Detail[] =>
  issues.flatMap((issue) => {
    const path = issue.path.map(String);
    if (issue.code !== 'unrecognized_keys') return [{ path: path.join('.'), message: issue.message }];
    return issue.keys.map((key) => ({ path: [...path, key].join('.'), message: 'is not a known field' }));
  });

/** Channels throw their schema's error; it may come from another copy of the library. */
export const isSchemaError = (error: unknown): error is z.core.$ZodError =>
  error instanceof Error && (error.name === 'ZodError' || error.name === '$ZodError') && 'issues' in error;
