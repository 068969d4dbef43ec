import { BoundedMap, isStillAhead } from '@pushfleet/domain';

/** Columns of apps that something was found of lately. */
export interface RememberedColumns {
  add(app: string, columns: readonly string[]): void;
  has(app: string, column: string): boolean;
  without(app: string, columns: Iterable<string>): string[];
  clear(): void;
}

/** A process does not note a column again for so long. */
export const REMEMBERED_MS = 600_000;
/** Whoever holds an app key chooses the columns. */
const MOST_REMEMBERED = 100_000;

export function rememberColumns(now: () => number): RememberedColumns {
  const until = new BoundedMap<string, number>(MOST_REMEMBERED);
  const isRemembered = (app: string, column: string, at: number): boolean =>
    isStillAhead(until.get(`${app} ${column}`) ?? 0, at, REMEMBERED_MS);
  return {
    add(app, columns) {
      for (const column of columns) until.set(`${app} ${column}`, now() + REMEMBERED_MS);
    },
    has: (app, column) => isRemembered(app, column, now()),
    without(app, columns) {
      const at = now();
      return [...columns].filter((column) => !isRemembered(app, column, at));
    },
    clear: () => until.clear(),
  };
}
