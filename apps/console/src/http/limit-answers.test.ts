import { LIMIT_AREAS } from '@pushfleet/domain';
import { PROBLEMS } from './problem';

const own = LIMIT_AREAS.find(({ title }) => title === 'People and tokens of the console')?.limits ?? {};
const answered = Object.entries(own).flatMap(([name, limit]) =>
  'answer' in limit ? [[name, limit.answer] as const] : [],
);

test.each(answered)('beyond %s the answer is one of the admin API', (_name, answer) => {
  expect(Object.values(PROBLEMS)).toContainEqual(expect.objectContaining(answer));
});
