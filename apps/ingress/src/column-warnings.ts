import { ownColumnsIn, type PushRequest, type PushWarning } from '@pushfleet/domain';
import type { Store } from '@pushfleet/store';

/** Columns in the condition of a push that no installation of the app has. */
export type ColumnWarnings = (app: string, request: PushRequest) => Promise<readonly PushWarning[]>;

/** Warnings of one answer. */
const MAX_WARNINGS = 20;

export function openColumnWarnings(names: Store['installations']['columnNames']): ColumnWarnings {
  return async (app, { where }) => {
    const columns = ownColumnsIn(where);
    const missing = columns.length === 0 ? [] : await names.missing(app, columns);
    return missing
      .slice(0, MAX_WARNINGS)
      .map((column) => ({ path: `where.${column}`, message: 'no installation of the app has this column' }));
  };
}
