import type { Audience } from './audience';
import type { PushContent } from './message';
import { hasMailbox, ownMessage } from './own-message';

const expiresAt = Date.UTC(2026, 0, 2, 3, 4, 5, 60);
const messageOf = (content: Partial<PushContent>, audience: Audience = {}): unknown =>
  JSON.parse(ownMessage({ content: { data: {}, sections: {}, ...content }, audience, expiresAt }));

test('holds what the sender gave and when it expires, with three digits of milliseconds', () => {
  expect(messageOf({ data: { alert: 'a', title: 't', sound: 's', k: { deep: [1] } } })).toEqual({
    ...{ alert: 'a', title: 't', sound: 's', k: { deep: [1] } },
    _expiration_time: '2026-01-02T03:04:05.060Z',
  });
});

test('the android section wins, and what else it holds stands beside it', () => {
  const sections = { android: { alert: 'mine', extra: 1 }, mi: { alert: 'not mine' } };
  expect(messageOf({ data: { alert: 'a', k: 2 }, sections })).toMatchObject({ alert: 'mine', extra: 1, k: 2 });
  expect(messageOf({ data: { alert: 'a', k: 2 }, sections })).not.toHaveProperty('mi');
});

test('an alert with parts becomes texts', () => {
  expect(messageOf({ data: { alert: { title: 't', body: 'b' } } })).toMatchObject({ alert: 'b', title: 't' });
  expect(messageOf({ data: { alert: { body: 'b' }, title: 'own' } })).toMatchObject({ alert: 'b', title: 'own' });
});

test('silence and action are left to the client', () => {
  const message = messageOf({ data: { silent: true, action: 'com.example.DO' } });
  expect(message).toMatchObject({ silent: true, action: 'com.example.DO' });
  expect(message).not.toHaveProperty('alert');
});

test('the only channel of a push is named, several are not, and the sender has the last word', () => {
  expect(messageOf({}, { subscriptions: ['news'] })).toMatchObject({ _channel: 'news' });
  expect(messageOf({}, { subscriptions: ['news', 'sports'] })).not.toHaveProperty('_channel');
  expect(messageOf({ data: { _channel: 'mine' } }, { subscriptions: ['news'] })).toMatchObject({ _channel: 'mine' });
});

test('the notification channel is in the message', () => {
  expect(messageOf({ notificationChannel: 'important' })).toMatchObject({ _notificationChannel: 'important' });
});

test.each([
  [undefined, false],
  ['', false],
  ['i', true],
  ['设'.repeat(170), true],
  ['设'.repeat(171), false],
])('an installationId of %j names a mailbox: %s', (installationId, isNamed) => {
  expect(hasMailbox(installationId)).toBe(isNamed);
});
