const IS_COLUMN = /^[A-Za-z][A-Za-z0-9_]{0,127}$/;

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
  IS_COLUMN.test(column) ? NOT_INDEXABLE.get(column) : 'must be the name of a column, without dots';
