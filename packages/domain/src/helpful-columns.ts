import { coversOf, type Audience } from './audience';
import { unindexable } from './indexable-column';
import { indexTextOf } from './where';

/** Columns that are named at most. */
const MAX_NAMED = 3;

/** The columns whose indexes together would answer for an audience; none where no index could. */
export function helpfulColumns({ predicate = {} }: Audience): readonly string[] {
  const covers = coversOf({ predicate }, (field, value) =>
    unindexable(field) === undefined && indexTextOf(value) !== undefined ? field : undefined,
  );
  const [first = [], ...others] = covers.map((columns) => [...new Set(columns)]);
  const fewest = others.reduce((best, columns) => (columns.length < best.length ? columns : best), first);
  return fewest.slice(0, MAX_NAMED);
}
