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
const cellsOf = (path: string, first: string): readonly string[] =>
  rowsOf(path)
    .find(([cell = '']) => cell.startsWith(first))
    ?.slice(1) ?? [`no row ${first} in ${path}`];
const rowOf = (path: string, first: string): string => cellsOf(path, first)[0] ?? '';

/** What readers are told of each, by the first cells of the rows. */
const FIGURES = [
  ['pushes accepted', '`ingress`', '`ingress`'],
  ['a campaign of two million', '`fanout`, 2,000,000', '`channel-worker`'],
  ['user look-ups', '`user-info`', '`user-info`'],
] as const;

const twoDigits = (figure: number): number => Number(figure.toPrecision(2));

/** All figures of a text, fractions too, without the digits of code and of words such as p99. */
const fractionsIn = (text: string): readonly number[] =>
  [...text.replaceAll(/`[^`]*`/g, '').matchAll(/(?<![\w.])\d[\d,]*(?:\.\d+)?/g)].map(([figure]) =>
    Number(figure.replaceAll(',', '')),
  );
const benchmarked = (first: string): { value: readonly number[]; ratio: readonly number[] } => {
  const [value = '', , ratio = ''] = cellsOf('apps/bench/README.md', first);
  return { value: fractionsIn(value), ratio: fractionsIn(ratio) };
};

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

test.each([
  ['README.md', 'messages with a text of their own', 'from accept'],
  ['README.zh-CN.md', '各有文本', '从接受'],
])('%s tells of messages and of latency what was measured', (page, messages, latency) => {
  const [alone, batched] = [benchmarked('`direct`'), benchmarked('the same by `/1.1/batch`')];
  const [figure = '', ratio = ''] = cellsOf(page, messages);
  expect(fractionsIn(figure)).toEqual([...alone.value, ...batched.value].map(twoDigits));
  expect(fractionsIn(ratio)).toEqual([...alone.ratio, ...batched.ratio]);
  expect(fractionsIn(rowOf(page, latency))).toEqual(benchmarked('`latency`').value);
});

test('what an installation takes in Redis is told in one place', () => {
  const places = ['README.md', 'docs/operate.md', 'docs/performance.md', 'docs/migrate.md', 'apps/bench/README.md'];
  const told = places.filter((path) => readFileSync(join(ROOT, path), 'utf8').includes('per byte of JSON'));
  expect(told).toEqual(['docs/operate.md']);
});
