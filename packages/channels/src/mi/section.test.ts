import { SectionProblem } from '@pushfleet/channel-kit';
import { parseSection, sectionFields } from './section';

test.each([
  [{ registration_id: 'r1' }],
  [{ alias: 'a' }],
  [{ topic: 't' }],
  [{ topics: 'a;$;b' }],
  [{ user_account: 'u' }],
  [{ restricted_package_name: 'com.other' }],
  [{ callback: 'https://evil.example' }],
  [{ 'extra.callback': 'https://evil.example' }],
  [{ extra: { callback: 'https://evil.example' } }],
  [{ extra: { 'callback.param': 'x' } }],
])('a section never says who receives or where receipts go: %j', (section) => {
  expect(() => parseSection(section)).toThrow(SectionProblem);
});

test('a section with a value that has no place in a form names the field', () => {
  expect(() => parseSection({ extra: { layout_value: [1] } })).toThrow(/extra\.layout_value/);
});

test('a nested and a flat extra mean the same field', () => {
  expect(sectionFields({ extra: { channel_id: 'c1', notify_effect: 1 } })).toEqual({
    'extra.channel_id': 'c1',
    'extra.notify_effect': '1',
  });
  expect(sectionFields({ 'extra.channel_id': 'c1', 'extra.notify_effect': 1 })).toEqual({
    'extra.channel_id': 'c1',
    'extra.notify_effect': '1',
  });
});

test('what restates the common data is no field of the vendor', () => {
  const section = { alert: { title: 't', body: 'b' }, silent: false, badge: 1, notify_type: 3 };
  expect(parseSection(section)).toEqual(section);
  expect(sectionFields(section)).toEqual({ notify_type: '3' });
});

test('a payload object is sent as its JSON text', () => {
  expect(sectionFields({ payload: { a: 1 } })).toEqual({ payload: '{"a":1}' });
});
