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

it.each([
  ...[
    'Registration_id',
    ' registration_id',
    'registration_id\u200b',
    'REGISTRATIONID',
    'registration-id',
    'ｒegistration_id',
  ],
])('a target is refused in the spelling %j', (key) => {
  expect(() => refuseKeys({ inner: { [key]: 'x' } }, ['registration_id'])).toThrow(SectionProblem);
});

it('a field that only contains the name of a target is none', () => {
  const section = { registration_ideas: 1, tokenizer: 2, 'extra.callbacks': 3, callback_: { note: 4 } };
  expect(refuseKeys(section, ['registration_id', 'token', 'extra.callback'])).toBe(section);
});

it('a large integer is kept in what the app reads, however that is spelled, and refused anywhere else', () => {
  const id = 1234567890123456789n;
  const appData = new Set(['extra']);
  const section = { extra: { order: id }, 'extra.order': id, badge: 1 };
  expect(refuseKeys(section, [], appData)).toBe(section);
  expect(() => refuseKeys({ extras: { order: id } }, [], appData)).toThrow(
    `extras.order: no field of the vendor holds ${id}`,
  );
});
