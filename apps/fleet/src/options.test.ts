import { readOptions, USAGE } from './options';

it.each(['--help', '-h'])('%s asks for the help, which names it', (flag) => {
  expect(readOptions([flag]).help).toBe(true);
  expect(USAGE).toContain(flag);
});

it.each([
  [['--redis-dir'], 'argument missing'],
  [['--redis-dir', ' '], 'must name a folder'],
  [['--init='], 'must name a file'],
  [
    ['--init', 'fleet.env', '--redis-dir', 'redis'],
    '--init leaves and starts no Redis; give --redis-dir to what serves',
  ],
  [['--jsn'], "Unknown option '--jsn'"],
])('%j is refused', (argv, words) => {
  expect(() => readOptions(argv)).toThrow(words);
});
