import { describeAndroidSection } from '@pushfleet/channel-kit/testing';
import { type JsonObject } from '@pushfleet/domain';
import { merge, parseSection } from './section';

test('the body of the vendor is passed on, common fields stay beside it', () => {
  const section = { title: 'T', badge: 3, android: { notification: { style: 1, bigTitle: 'T', bigBody: 'B' } } };
  expect(parseSection(section)).toEqual(section);
});

test('a parsed section is parsed to itself', () => {
  const parsed = parseSection({ title: 'T', action: 'com.example.VIEW', importance: 'LOW', badge: { addNum: 2 } });
  expect(parseSection(parsed)).toEqual(parsed);
});

test.each<[string, JsonObject, JsonObject]>([
  ['importance', { importance: 'LOW' }, { importance: 'LOW' }],
  ['badge', { badge: { addNum: 2 } }, { badge: { addNum: 2 } }],
  ['action as text', { action: 'com.example.VIEW' }, { clickAction: { type: 1, action: 'com.example.VIEW' } }],
  ['action as an object', { action: { type: 3 } }, { clickAction: { type: 3 } }],
])('the short spelling of %s finds its place', (_, section, notification) => {
  expect(parseSection(section)).toEqual({ android: { notification } });
});

test('short spellings and the body are laid together', () => {
  const section = { importance: 'LOW', android: { ttl: '60s', notification: { tag: 't' } } };
  expect(parseSection(section)).toEqual({ android: { ttl: '60s', notification: { importance: 'LOW', tag: 't' } } });
});

test.each<[string, JsonObject]>([
  ['android.token', { android: { token: ['someone'] } }],
  ['android: must be an object', { android: 'text' }],
  ['android.notification: must be an object', { android: { notification: 'text' } }],
  ['notification: must be an object', { notification: 'text' }],
  ['action: must be', { action: 7 }],
  ['clickAction.url', { clickAction: { type: 2 } }],
  [
    'android.notification.clickAction: needs intent or action',
    { clickAction: { type: 1, url: 'https://example.com' } },
  ],
])('a section is refused by name: %s', (words, section) => {
  expect(() => parseSection(section)).toThrow(words);
  expect(() => parseSection(section)).toThrow(expect.objectContaining({ name: 'SectionProblem' }));
});

describeAndroidSection({ parseSection, merge, tap: 'clickAction', sectionOf: (message) => message });

test.each<[string, JsonObject]>([
  ['notification.image', { notification: { image: 'http://x/y.png' } }],
  ['android.notification.image', { android: { notification: { image: 'http://x/y.png' } } }],
  ['buttons: at most 3', { android: { notification: { buttons: [{}, {}, {}, {}] } } }],
  ['clickAction.url', { clickAction: { type: 2, url: 'http://example.com' } }],
])('what the vendor would refuse is refused by name: %s', (words, section) => {
  expect(() => parseSection(section)).toThrow(words);
});
