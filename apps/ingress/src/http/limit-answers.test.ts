import { LIMIT_AREAS, LIMITS, overLimit, type InputLimit } from '@pushfleet/domain';
import { PROBLEMS } from './problem';

const limitsOf = (area: string): object => LIMIT_AREAS.find(({ title }) => title === area)?.limits ?? {};
/** Used up by what was there before, or lower for a while, whatever the input is. */
const { streams, streamsInAll, offlineClientsUnindexed } = LIMITS;
const USED_UP = { ...limitsOf('Apps'), streams, streamsInAll, offlineClientsUnindexed };
/** The console answers for its own, and for what operators set up in an app. */
const LIMITS_OF_CONSOLE = {
  ...limitsOf('People and tokens of the console'),
  columnIndexes: LIMITS.columnIndexes,
};

const rows = Object.entries(LIMITS).flatMap(([name, limit]) =>
  'answer' in limit && !(name in LIMITS_OF_CONSOLE) ? [[name, limit.answer] as const] : [],
);
const usedUp = rows.filter(([name]) => name in USED_UP);
const answered = rows.filter(([name]) => !(name in USED_UP));

test.each(answered)('beyond %s the answer is the one in the table of limits', (name, answer) => {
  const { problem } = overLimit(name as InputLimit, 'the request');
  const { status, code } = PROBLEMS[problem];
  expect({ status, code }).toEqual(answer);
});

test.each(usedUp)('beyond %s the answer is one of the API', (_name, answer) => {
  expect(Object.values(PROBLEMS)).toContainEqual(expect.objectContaining(answer));
});
