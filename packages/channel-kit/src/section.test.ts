import { refuseKeys, SectionProblem } from './section';

it('a target is refused at any depth, by its path', () => {
  const section = { android: { list: [{ token: 'someone' }] } };
  expect(() => refuseKeys(section, ['token'])).toThrow(SectionProblem);
  expect(() => refuseKeys(section, ['token'])).toThrow('android.list[0].token');
});

it('what the vendor hands to the app is the sender’s own, and only that', () => {
  const appData = new Set(['message.data']);
  const section = { message: { data: { token: 'a word of the app', topic: { callback: 1 } } } };
  expect(refuseKeys(section, ['token', 'topic', 'callback'], appData)).toBe(section);
  expect(() => refuseKeys({ message: { token: 'x', data: {} } }, ['token'], appData)).toThrow('message.token');
});
