import { SectionProblem } from '@pushfleet/channel-kit';
import { type JsonObject } from '@pushfleet/domain';
import { parseSection } from './section';

test.each<[JsonObject]>([[{ tokens: ['r1'] }], [{ notification: { topic: 't' } }], [{ callback: 'https://evil.example' }]])(
  'a section never says who receives or where receipts go: %j',
  (section) => {
    expect(() => parseSection(section)).toThrow(SectionProblem);
  },
);

test('what goes to the app may use any word', () => {
  const section = { data: { token: 't', topic: 'x' } };
  expect(parseSection(section)).toEqual(section);
});
