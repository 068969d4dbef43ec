import { installationFieldsSchema } from './installation';
import type { JsonObject } from './json';
import { subqueriesOf } from './where';

/** Columns that a condition may always ask for, whether or not an installation has one. */
const KNOWN: ReadonlySet<string> = new Set([
  ...Object.keys(installationFieldsSchema.shape),
  ...['objectId', 'createdAt', 'updatedAt'],
]);

/** Whether an app gave its installations the column itself. */
export const isOwnColumn = (column: string): boolean => !KNOWN.has(column);

/** The app's own columns that a parsed condition asks for, its sub-queries among it. */
export const ownColumnsIn = (where: JsonObject): readonly string[] => [
  ...new Set([where, ...allSubqueries(where)].flatMap(columnsIn).filter(isOwnColumn)),
];

const columnsIn = (where: JsonObject): readonly string[] =>
  Object.entries(where).flatMap(([name, value]) =>
    name.startsWith('$') ? (value as readonly JsonObject[]).flatMap(columnsIn) : [name.replace(/\..*/s, '')],
  );

/** The sub-queries of a parsed condition, and theirs. */
export const allSubqueries = (where: JsonObject): readonly JsonObject[] =>
  subqueriesOf(where).flatMap((subquery) => [subquery.where, ...allSubqueries(subquery.where)]);
