import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './testing/document-examples';

const FOLDER = join(ROOT, 'docs/adr');
const INDEX = readFileSync(join(FOLDER, 'README.md'), 'utf8');

const records = readdirSync(FOLDER).filter((name) => /^\d{4}-.*\.md$/.test(name));

test('every decision stands in the index under its number, in order', () => {
  expect(records.length).toBeGreaterThan(50);
  const listed = [...INDEX.matchAll(/^\| \[(\d{4})\]\((.*?)\)/gm)].map(([, number, file]) => [number, file]);
  expect(listed).toEqual(records.sort().map((name) => [name.slice(0, 4), name]));
});

test('no number is left out but those that the index names', () => {
  const numbers = records.map((name) => Number(name.slice(0, 4)));
  const unused = [...(/are missing here \((.*)\)/.exec(INDEX)?.[1] ?? '').matchAll(/\d{4}/g)].map(([one]) =>
    Number(one),
  );
  const expected = Array.from({ length: Math.max(...numbers) }, (_, i) => i + 1);
  expect([...numbers, ...unused].sort((a, b) => a - b)).toEqual(expected);
});
