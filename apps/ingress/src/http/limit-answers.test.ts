import { LIMITS, overLimit, type InputLimit } from '@pushfleet/domain';
import { PROBLEMS } from './problem';

const answered = Object.entries(LIMITS).flatMap(([name, limit]) =>
  'answer' in limit ? [[name, limit.answer] as const] : [],
);

test.each(answered)('beyond %s the answer is the one in the table of limits', (name, answer) => {
  const { problem } = overLimit(name as InputLimit, 'the request');
  const { status, code } = PROBLEMS[problem];
  expect({ status, code }).toEqual(answer);
});
