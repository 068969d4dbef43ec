import type { ColumnIndex, Store } from '@pushfleet/store';
import { verdict, warning, type Check } from './check';

/** One of a very large app takes minutes; after an upgrade all wait until the version before is gone. */
const LATE_MS = 3_600_000;

interface Building extends ColumnIndex {
  readonly app: string;
}

/** Columns whose index pushes do not use yet, and walk the app meanwhile. */
export async function columnIndexChecks(
  { installations }: Pick<Store, 'installations'>,
  now: number,
): Promise<readonly Check[]> {
  const [indexed, forgotten] = await Promise.all([installations.columns.all(), installations.columns.forgotten()]);
  const all = [...indexed];
  const building = all.flatMap(([app, indexes]) =>
    indexes.filter(({ status }) => status === 'building').map((index): Building => ({ app, ...index })),
  );
  const late = building.filter(({ declaredAt }) => now - declaredAt > LATE_MS);
  const finding = building.length === 0 ? 'every index of a column is whole' : progressOf(building);
  return [
    verdict({ check: 'column-indexes', subject: '' }, finding, [
      late.length > 0 &&
        warning(
          `the index of ${nameOf(late)} is not whole after an hour`,
          'does a dispatcher run, and what does its log say?',
        ),
    ]),
    ...forgotten.map((app): Check => ({ check: 'column-indexes', subject: app, ...FORGOTTEN })),
  ];
}

const FORGOTTEN = warning(
  'which columns are indexed is not known any more, because the record in Redis was damaged: pushes walk',
  'declare them again: pushfleet indexes add APP_ID COLUMN',
);

const nameOf = (indexes: readonly Building[]): string => {
  const [{ app, column } = { app: '', column: '' }] = indexes;
  return `column ${column} of app ${app}${indexes.length > 1 ? ` and ${indexes.length - 1} others` : ''}`;
};

const progressOf = (building: readonly Building[]): string =>
  `pushes walk while their index is made: ${nameOf(building)}: ${building[0]?.doneParts ?? 0} of ${building[0]?.parts} parts`;
