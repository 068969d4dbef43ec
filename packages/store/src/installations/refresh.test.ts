import { LIMITS } from '@pushfleet/domain';
import { refreshOf } from './refresh';

const most = LIMITS.installationFields.value;
const saveOf = (count: number) =>
  refreshOf({ now: 0, body: Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i])) });

it('a save of as many fields as a record may have is compared with the record', () => {
  expect(saveOf(most)?.members).toHaveLength(2 * most);
});

it('a save of more is not: no record that a new save made holds them', () => {
  expect(saveOf(most + 1)).toBeUndefined();
});
