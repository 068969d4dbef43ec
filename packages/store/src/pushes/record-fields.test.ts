import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { LUA_FOLDER } from '../kit/lua/source';
import {
  counterField,
  discardCounter,
  errorKey,
  failureCounter,
  noteCounter,
  openLanesIn,
  openPagesIn,
  pageField,
  positionField,
  readCounterField,
  readErrorField,
  RECORD,
} from './record-fields';

const ROOT = join(__dirname, '../../../..');

const sourcesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : sourcesBelow(path);
    return /(?<!\.test)\.(ts|lua)$/.test(entry.name) ? [path] : [];
  });

const spelling = (pattern: RegExp, files: readonly string[]): readonly string[] =>
  files.filter((file) => pattern.test(readFileSync(file, 'utf8'))).map((file) => relative(ROOT, file));

it('no other file spells the fields of counters, errors and the ledger', () => {
  const files = ['apps', 'packages'].flatMap((folder) => sourcesBelow(join(ROOT, folder)));
  expect(spelling(/['"`^](c|n|m|s|at|lane|page|tries)\|/, files)).toEqual([
    'packages/store/src/pushes/record-fields.ts',
  ]);
});

it('no script spells a field of the record', () => {
  const field = new RegExp(`'(${Object.values(RECORD).join('|')})'`);
  const spelled = sourcesBelow(join(LUA_FOLDER, 'pushes')).flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => /\bcall\('H/.test(line) && field.test(line)),
  );
  expect(spelled).toEqual([]);
});

it.each([
  ['matched', 'count', 'matched'],
  [discardCounter('expired'), 'discarded', 'expired'],
  [failureCounter('unreachable'), 'failed', 'unreachable'],
  [noteCounter('cut | off'), 'note', 'cut / off'],
])('the counter %s is read as what it counts', (counter, kind, value) => {
  expect(readCounterField(counterField('hms', counter))).toEqual({ channel: 'hms', kind, value });
});

it('a field that counts no devices is no counter', () => {
  expect([RECORD.status, 'n|hms|expired|', 'c|hms'].map(readCounterField)).toEqual([undefined, undefined, undefined]);
});

it('an error keeps a code of the vendor with a bar in it', () => {
  expect(readErrorField(`n|${errorKey('mi', 'vendor-error', '4|2')}`)).toEqual({
    ...{ channel: 'mi', reason: 'vendor-error', vendorCode: '4|2' },
    ...{ message: 'm|mi|vendor-error|4|2', samples: 's|mi|vendor-error|4|2' },
  });
  expect(readErrorField(counterField('mi', 'accepted'))).toBeUndefined();
});

it('what is open of a plan is found in the order of its numbers', () => {
  const fields = [...[10, 2].map(positionField), ...[11, 3].map(pageField), 'pages', 'lane|1'];
  expect([openLanesIn(fields), openPagesIn(fields)]).toEqual([
    [2, 10],
    [3, 11],
  ]);
});
