import { ok, problem, warning, type Check } from './check';
import { gather } from './gather';

const apps = (count: number, from = 0): readonly string[] =>
  Array.from({ length: count }, (_, n) => `app-${from + n}-id`);
const open = (subject: string): Check => ({
  ...{ check: 'app-client-push', subject },
  ...warning('clientPush is on', `pushfleet apps update ${subject} --client-push off`),
});
const room = (subject: string, installations: number): Check =>
  ok({ check: 'app-room', subject }, `${installations} installations`);

it('leaves a line to each of a few', () => {
  const checks = apps(20).map(open);
  expect(gather(checks)).toEqual(checks);
});

it('makes one line of many that say the same, with their number, the first and what to do about any', () => {
  expect(gather(apps(21).map(open))).toEqual([
    {
      check: 'app-client-push',
      subject: 'app-0-id, app-1-id, app-2-id, … (21)',
      subjects: apps(21),
      status: 'warning',
      finding: 'clientPush is on',
      advice: 'pushfleet apps update APP --client-push off',
    },
  ]);
});

it('makes one line of many that are well, and keeps those that are not, each with what is wrong with it', () => {
  const full = (subject: string, share: number): Check => ({
    ...{ check: 'app-room', subject },
    ...problem(`${share} % used`, `pushfleet apps update ${subject}`),
  });
  const [fine, ...others] = gather([...apps(21).map((app, n) => room(app, n)), full('a', 101), full('b', 102)]);
  expect(fine).toMatchObject({ status: 'ok', finding: 'each of them is well', subjects: apps(21) });
  expect(fine).not.toHaveProperty('advice');
  expect(others).toEqual([full('a', 101), full('b', 102)]);
  expect(gather(apps(21).map((app) => room(app, 7)))).toMatchObject([{ finding: '7 installations' }]);
});

it('keeps profiles that are refused for different reasons apart', () => {
  const refused =
    (words: string) =>
    (app: string): Check => ({
      ...{ check: 'profile', subject: `${app}/mi/_default` },
      ...problem(`the vendor refuses it: ${words}`, 'save it again'),
    });
  const found = gather([...apps(21).map(refused('1')), ...apps(22, 21).map(refused('2')), refused('3')('app')]);
  expect(found.map(({ finding, subjects }) => [finding, subjects?.length])).toEqual([
    ['the vendor refuses it: 1', 21],
    ['the vendor refuses it: 2', 22],
    ['the vendor refuses it: 3', undefined],
  ]);
});

it('leaves a line to every master and queue', () => {
  const checks = apps(30).map((node) => ok({ check: 'redis-memory', subject: node }, '1 % used'));
  expect(gather(checks)).toEqual(checks);
});

it('looks at ten thousand apps in no time', () => {
  const checks = apps(10_000).flatMap((app) => [open(app), room(app, 1)]);
  expect(gather(checks)).toHaveLength(2);
});
