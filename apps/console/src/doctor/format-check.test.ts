import type { FormatState } from '@pushfleet/store';
import { formatCheck } from './format-check';

const migration = { name: 'counting', to: 2, done: 3, of: 8 };
const refusal = Object.assign(new Error('FORMAT: too old'), { name: 'WrongFormat', lines: [] }) as never;

test.each<[string, FormatState, [string, RegExp]]>([
  ['of this format', { data: 2, own: 2 }, ['ok', /^format 2$/]],
  ['that are migrated', { data: 1, own: 2, migration }, ['warning', /3 of 8 parts/]],
  ['that wait', { data: 1, own: 2, migration: { ...migration, waitsFor: 'others' } }, ['warning', /waits for others/]],
  ['of a later format', { data: 3, own: 2 }, ['warning', /beside those of format 3/]],
  ['of a format that it cannot work with', { data: 9, own: 2, refusal }, ['problem', /too old/]],
])('data %s', (_, state, [status, finding]) => {
  const check = formatCheck(state);
  expect(check).toMatchObject({ check: 'format', status, finding: expect.stringMatching(finding) });
  expect('advice' in check).toBe(status !== 'ok');
});
