import { isColumnName } from './column-name';

/** Columns that nobody has to index, and why. */
const NOT_INDEXABLE: ReadonlyMap<string, string> = new Map([
  ...['objectId', 'installationId', 'deviceToken', 'registrationId'].map(
    (column) => [column, 'is looked up without an index'] as const,
  ),
  ['channels', 'has an index of its own'],
  ['valid', 'is not only what was saved'],
  ...['createdAt', 'updatedAt'].map((column) => [column, 'differs between all installations'] as const),
]);

/** Why a column cannot be indexed; undefined when it can be. */
export const unindexable = (column: string): string | undefined =>
  isColumnName(column) ? NOT_INDEXABLE.get(column) : 'must be the name of a column, without dots';
