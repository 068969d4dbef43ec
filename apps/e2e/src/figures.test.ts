import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');
const rowsOf = (path: string): readonly (readonly string[])[] =>
  readFileSync(join(ROOT, path), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1)
        .map((cell) => cell.trim()),
    );
const figuresIn = (text: string): readonly number[] =>
  [...text.matchAll(/\d[\d,]*/g)].map(([figure]) => Number(figure.replaceAll(',', '')));
const rowOf = (path: string, first: string): string =>
  rowsOf(path).find(([cell = '']) => cell.startsWith(first))?.[1] ?? `no row ${first} in ${path}`;

/** What readers are told of each, by the first cells of the rows. */
const FIGURES = [
  ['pushes accepted', '`ingress`', '`ingress`'],
  ['a campaign of two million', '`fanout`, 2,000,000', '`channel-worker`'],
  ['user look-ups', '`user-info`', '`user-info`'],
] as const;

const twoDigits = (figure: number): number => Number(figure.toPrecision(2));

test.each(FIGURES)(
  '%s: README rounds what was measured, and the sizing is about two thirds of it',
  (told, bench, part) => {
    const [measured = 0] = figuresIn(rowOf('apps/bench/README.md', bench));
    expect(figuresIn(rowOf('README.md', told))[0]).toBe(twoDigits(measured));
    const [planned = 0] = figuresIn(rowOf('docs/operate.md', part));
    expect(planned / measured).toBeGreaterThan(0.58);
    expect(planned / measured).toBeLessThan(0.75);
  },
);

test('what an installation takes in Redis is told in one place', () => {
  const places = ['README.md', 'docs/operate.md', 'docs/performance.md', 'docs/migrate.md', 'apps/bench/README.md'];
  const told = places.filter((path) => readFileSync(join(ROOT, path), 'utf8').includes('per byte of JSON'));
  expect(told).toEqual(['docs/operate.md']);
});
