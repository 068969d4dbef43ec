import { describeAndroidSection } from '@pushfleet/channel-kit/testing';
import { type JsonObject } from '@pushfleet/domain';
import { merge, parseSection } from './section';

test('the v1 message of the vendor is passed on', () => {
  const message = { android: { notification: { foreground_show: false, click_action: { type: 3 } } } };
  expect(parseSection({ message })).toEqual({ message });
});

test('common fields stay beside the message', () => {
  const section = { title: 'T', alert: 'A', badge: 3, silent: false };
  expect(parseSection(section)).toEqual(section);
});

test('a parsed section is parsed to itself', () => {
  const parsed = parseSection({ title: 'T', action: 'com.example.VIEW', category: 'IM', badge: { add_num: 2 } });
  expect(parseSection(parsed)).toEqual(parsed);
});

test.each<[string, JsonObject, JsonObject]>([
  ['category', { category: 'IM' }, { android: { category: 'IM' } }],
  ['foreground_show', { foreground_show: false }, { android: { notification: { foreground_show: false } } }],
  ['channel_id', { channel_id: 'c1' }, { android: { notification: { channel_id: 'c1' } } }],
  ['badge', { badge: { add_num: 2 } }, { android: { notification: { badge: { add_num: 2 } } } }],
  [
    'action as text',
    { action: 'com.example.VIEW' },
    { android: { notification: { click_action: { type: 1, action: 'com.example.VIEW' } } } },
  ],
  [
    'action in its older form',
    { action: { type: 2, param: { url: 'https://example.com' } } },
    { android: { notification: { click_action: { type: 2, url: 'https://example.com' } } } },
  ],
])('the short spelling of %s finds its place', (_, section, message) => {
  expect(parseSection(section)).toEqual({ message });
});

test('what the message says wins over a short spelling', () => {
  const section = { category: 'IM', message: { android: { category: 'WORK' } } };
  expect(parseSection(section)).toEqual({ message: { android: { category: 'WORK' } } });
});

test('a shown message of the first push protocol is translated', () => {
  const msg = {
    type: 3,
    body: { title: 'T', content: 'C' },
    action: { type: 1, param: { intent: 'intent://h/p#Intent;end' } },
  };
  expect(parseSection({ msg, ext: { badgeAddNum: 1, badgeClass: 'com.example.Main' } })).toEqual({
    message: {
      notification: { title: 'T', body: 'C' },
      android: {
        notification: {
          click_action: { type: 1, intent: 'intent://h/p#Intent;end' },
          badge: { add_num: 1, class: 'com.example.Main' },
        },
      },
    },
  });
});

test('a pass-through message of the first push protocol becomes a silent one', () => {
  expect(parseSection({ msg: { type: 1, body: { k: 'v' } } })).toEqual({
    silent: true,
    message: { data: '{"k":"v"}' },
  });
});

test.each<[string, JsonObject]>([
  ['message.token', { message: { token: ['someone'] } }],
  ['message.topic', { message: { topic: 'all' } }],
  ['message.condition', { message: { condition: "'a' in topics" } }],
  ['message.android.receipt_id', { message: { android: { receipt_id: 'RCP1' } } }],
  ['message: must be an object', { message: 'text' }],
  ['message.android.notification: must be an object', { message: { android: { notification: 'text' } } }],
  ['msg: must be an object', { msg: 'text' }],
  ['msg.body: must be an object', { msg: { type: 3, body: 'text' } }],
  ['action: must be', { action: 7 }],
  ['message.android.notification.image', { message: { android: { notification: { image: 'http://x/y.png' } } } }],
  ['message.notification.image', { message: { notification: { image: 'http://x/y.png' } } }],
  [
    'inbox_content: at most 5',
    { message: { android: { notification: { inbox_content: ['1', '2', '3', '4', '5', '6'] } } } },
  ],
  ['buttons: at most 3', { message: { android: { notification: { buttons: [{}, {}, {}, {}] } } } }],
  ['click_action.url', { click_action: { type: 2, url: 'http://example.com' } }],
  ['click_action.url', { click_action: { type: 2 } }],
  [
    'message.android.notification.click_action: needs intent or action',
    { click_action: { type: 1, url: 'https://example.com' } },
  ],
])('a section is refused by name: %s', (words, section) => {
  expect(() => parseSection(section)).toThrow(words);
  expect(() => parseSection(section)).toThrow(expect.objectContaining({ name: 'SectionProblem' }));
});

describeAndroidSection({ parseSection, merge, tap: 'click_action', sectionOf: (message) => ({ message }) });

test('data is the app’s own also outside the message', () => {
  const data = { token: 't', topic: { condition: 1 }, callback: 'c' };
  expect(() => parseSection({ data })).not.toThrow();
  expect(() => parseSection({ msg: { type: 1, body: data } })).not.toThrow();
});

test('numbers of the first push protocol may be text', () => {
  const parsed = parseSection({ msg: { type: 3 }, ext: { badgeAddNum: '1', badgeSetNum: '12' } });
  expect(parsed).toMatchObject({ message: { android: { notification: { badge: { add_num: 1, set_num: 12 } } } } });
});
