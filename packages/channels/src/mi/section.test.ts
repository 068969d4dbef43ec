import { SectionProblem } from '@pushfleet/channel-kit';
import { type JsonObject } from '@pushfleet/domain';
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
  [{ extra: { ' Callback': 'x' } }],
  [{ extra: { order: { callback: 'x' } } }],
])('a section never says who receives or where receipts go: %j', (section) => {
  expect(() => parseSection(section)).toThrow(SectionProblem);
});

test.each<[JsonObject]>([
  [{ payload: { topic: 't', token: 'x', callback: { alias: 'a' } } }],
  [{ extra: { topic: 't', token: 'x' } }],
])('what goes to the app may use any word: %j', (section) => {
  expect(parseSection(section)).toEqual(section);
});

test.each<[JsonObject]>([
  [{ extra: { uid: 1234567890123456789n, order: { id: [1234567890123456789n] } } }],
  [{ 'extra.uid': 1234567890123456789n, payload: { uid: 1234567890123456789n } }],
  [{ extra: { template_param: { a: 1234567890123456789n } } }],
])('what goes to the app may hold any integer: %#', (section) => {
  expect(parseSection(section)).toEqual(section);
  expect(Object.values(sectionFields(section)).every((text) => text.includes('1234567890123456789'))).toBe(true);
});

test.each<[JsonObject, string]>([
  [{ extra: { callback: 'https://evil.example' } }, 'extra.callback: targets and callback addresses'],
  [{ extra: { order: { 'callback.param': 'x' } } }, 'extra.order.callback.param: targets and callback addresses'],
  [{ notify_type: 1234567890123456789n }, 'notify_type: no field of the vendor holds 1234567890123456789'],
  [{ extra: { notify_effect: 2 } }, 'extra.intent_uri: is required by notify_effect 2'],
  [{ 'extra.notify_effect': '3', extra: { intent_uri: 'x' } }, 'extra.web_uri: is required by notify_effect 3'],
  [{ extra: { notify_effect: 4 } }, 'extra.notify_effect: must be 1, 2 or 3'],
  [{ extra: { template_param: [] } }, 'extra.template_param: must be a JSON object, or its text'],
  [{ extra: { template_param: '{' } }, 'extra.template_param: must be a JSON object, or its text'],
  [{ extra: { template_param: { a: ' ' } } }, 'extra.template_param: a must not be blank'],
  [{ extra: { template_param: { a: true } } }, 'extra.template_param: a must be text or a number'],
  [{ extra: { template_param: { a: 'x'.repeat(129) } } }, 'extra.template_param: a must have at most 128 characters'],
  ...['😀', 'to 🇨🇳', '1️⃣'].map((a): [JsonObject, string] => [
    { extra: { template_param: { a } } },
    'extra.template_param: a must not hold emoji',
  ]),
  [
    { extra: { template_param: Object.fromEntries(Array.from('abcdefghij', (key) => [key, 'v'])) } },
    'extra.template_param: must have at most 9 variables',
  ],
])('%j is refused: %s', (section, message) => {
  expect(() => parseSection(section)).toThrow(message);
});

test('an empty extra is none, and a clock makes a notification id', () => {
  expect(sectionFields({ notify_id: 1_764_000_000_000, extra: { notify_effect: '', callback: '' } })).toEqual({
    notify_id: '1764000000000',
  });
});

test('a value with parts goes into the form as JSON, and null as nothing', () => {
  const section = { k: { a: [1] }, extra: { layout_value: [1], none: null }, none: null };
  expect(sectionFields(parseSection(section))).toEqual({ k: '{"a":[1]}', 'extra.layout_value': '[1]' });
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
