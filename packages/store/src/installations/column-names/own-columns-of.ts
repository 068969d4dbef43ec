import { isOwnColumn, type JsonObject } from '@pushfleet/domain';

/** Adds the app's own columns of a document, without those that the document before had. */
export function addOwnColumns(columns: Set<string>, doc: JsonObject, before: JsonObject = {}): void {
  for (const column of Object.keys(doc)) {
    if (!Object.hasOwn(before, column) && isOwnColumn(column)) columns.add(column);
  }
}

/** What a version has that the one before did not: usually nothing. */
export function newColumnsOf(doc: JsonObject, before: JsonObject | undefined): ReadonlySet<string> {
  const columns = new Set<string>();
  addOwnColumns(columns, doc, before);
  return columns;
}
