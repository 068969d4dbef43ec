import { LIMIT_AREAS, LIMITS, overLimit, type InputLimit } from '@pushfleet/domain';
import { PROBLEMS } from './problem';

const limitsOf = (area: string): object => LIMIT_AREAS.find(({ title }) => title === area)?.limits ?? {};
const LIMITS_OF_APPS = limitsOf('Apps');
/** The console answers for its own, and for what operators set up in an app. */
const LIMITS_OF_CONSOLE = {
  ...limitsOf('People and tokens of the console'),
  columnIndexes: LIMITS.columnIndexes,
};

const rows = Object.entries(LIMITS).flatMap(([name, limit]) =>
  'answer' in limit && !(name in LIMITS_OF_CONSOLE) ? [[name, limit.answer] as const] : [],
);
/** What an app has used up is no matter of the input. */
const ofApps = rows.filter(([name]) => name in LIMITS_OF_APPS);
const answered = rows.filter(([name]) => !(name in LIMITS_OF_APPS));

test.each(answered)('beyond %s the answer is the one in the table of limits', (name, answer) => {
  const { problem } = overLimit(name as InputLimit, 'the request');
  const { status, code } = PROBLEMS[problem];
  expect({ status, code }).toEqual(answer);
});

test.each(ofApps)('beyond %s of an app the answer is one of the API', (_name, answer) => {
  expect(Object.values(PROBLEMS)).toContainEqual(expect.objectContaining(answer));
});
