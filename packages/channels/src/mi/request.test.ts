import { replaceKey, type PushBatch } from '@pushfleet/channel-kit';
import { messageFor, type JsonObject } from '@pushfleet/domain';
import { buildRequest, type MiRequest } from './request';

const profile = { appId: '1', appSecret: 's3cret', packageName: 'com.example.app' };
const app = { name: 'Example', overlong: 'truncate', intentHost: 'cn.leancloud.push' } as const;

const batchOf = (data: JsonObject, over: Partial<PushBatch> = {}, section: JsonObject = {}): PushBatch => ({
  pushId: 'abcDEF0123456789',
  batchId: 'b1',
  message: messageFor({ data, sections: { mi: section } }, 'mi'),
  app,
  registrationIds: ['r1', 'r+/=2'],
  ttlMs: 3_600_000,
  ...over,
});

const formOf = (batch: PushBatch, more: JsonObject = {}): Record<string, string> => {
  const request = buildRequest(batch, { ...profile, ...more }) as MiRequest;
  expect(request.kind).toBe('request');
  return Object.fromEntries(new URLSearchParams(request.body));
};

test('a notification carries text, data, life and keys derived from the push', () => {
  const data = { alert: 'hello', title: 'Hi', k1: 'a b', action: 'com.example.TAP' };
  expect(formOf(batchOf(data))).toEqual({
    registration_id: 'r1,r+/=2',
    restricted_package_name: 'com.example.app',
    payload: JSON.stringify(data),
    pass_through: '0',
    time_to_live: '3600000',
    title: 'Hi',
    description: 'hello',
    notify_type: '-1',
    notify_id: String(replaceKey('abcDEF0123456789')),
    'extra.jobkey': 'abcDEF0123456789',
  });
});

test('a message without title shows the name of the app', () => {
  expect(formOf(batchOf({ alert: 'a' }))['title']).toBe('Example');
});

test('a silent message is handed over without text', () => {
  const form = formOf(batchOf({ silent: true, k: 1 }));
  expect(form).toMatchObject({ pass_through: '1', payload: '{"silent":true,"k":1}' });
  expect(Object.keys(form)).not.toEqual(expect.arrayContaining(['title']));
});

test('receipts are asked for only when the fleet has an address', () => {
  const form = formOf(batchOf({ alert: 'a' }, { receiptUrl: 'https://push.example.com/cb' }));
  expect(form).toMatchObject({
    'extra.callback': 'https://push.example.com/cb',
    'extra.callback.param': 'abcDEF0123456789',
    'extra.callback.type': '51',
  });
});

test.each([
  ['a life of weeks is cut to ten days', 20 * 86_400_000, '864000000'],
  ['a fraction of a millisecond still lives', 0.4, '1'],
])('%s', (_, ttlMs, expected) => {
  expect(formOf(batchOf({ alert: 'a' }, { ttlMs }))['time_to_live']).toBe(expected);
});

test('the message class comes from the section, else the notification channel, else the profile', () => {
  const more = { channelId: 'of-profile' };
  const message = messageFor({ data: { alert: 'a' }, sections: {}, notificationChannel: 'of-push' }, 'mi');
  expect(formOf(batchOf({ alert: 'a' }), more)['extra.channel_id']).toBe('of-profile');
  expect(formOf(batchOf({}, { message }), more)['extra.channel_id']).toBe('of-push');
  const section = { extra: { channel_id: 'of-section' } };
  expect(formOf(batchOf({ alert: 'a' }, {}, section), more)['extra.channel_id']).toBe('of-section');
});

test('a section overrides generated fields and adds its own', () => {
  const section = { notify_id: 7, 'extra.notify_effect': '2', extra: { intent_uri: 'intent:#Intent;end' } };
  expect(formOf(batchOf({ alert: 'a', sound: 'android.resource://com.x/raw/y' }, {}, section))).toMatchObject({
    notify_id: '7',
    'extra.notify_effect': '2',
    'extra.intent_uri': 'intent:#Intent;end',
    'extra.sound_uri': 'android.resource://com.x/raw/y',
  });
});

test.each([['a-push-id-of-more-than-twenty-characters'], ['_starts-with-underscore'], ['with:colon']])(
  'the job key of %s keeps the vendor’s alphabet and length',
  (pushId) => {
    const key = formOf(batchOf({ alert: 'a' }, { pushId }))['extra.jobkey'];
    expect(key).toMatch(/^[0-9a-f]{20}$/);
  },
);

test('text is cut below the vendor’s limits at code points', () => {
  const request = buildRequest(batchOf({ alert: '😀'.repeat(200), title: 'x'.repeat(50) }), profile) as MiRequest;
  const form = new URLSearchParams(request.body);
  expect(request.truncated).toBe(true);
  expect(form.get('title')).toBe(`${'x'.repeat(48)}…`);
  expect(form.get('description')).toBe(`${'😀'.repeat(126)}…`);
});

test('text of exactly the largest length is left alone', () => {
  const request = buildRequest(batchOf({ alert: 'y'.repeat(127), title: 'x'.repeat(49) }), profile);
  expect(request).toMatchObject({ kind: 'request', truncated: false });
});

test('an app that refuses to be cut has its devices discarded', () => {
  const batch = batchOf({ alert: 'a'.repeat(128) }, { app: { ...app, overlong: 'reject' } });
  expect(buildRequest(batch, profile)).toMatchObject({ kind: 'discarded', reason: 'message-rejected' });
});

test('a payload over 4096 bytes is not sent', () => {
  const room = 4096 - JSON.stringify({ silent: true, k: '' }).length;
  expect(buildRequest(batchOf({ silent: true, k: 'x'.repeat(room) }), profile)).toMatchObject({ kind: 'request' });
  expect(buildRequest(batchOf({ silent: true, k: 'x'.repeat(room + 1) }), profile)).toMatchObject({
    kind: 'discarded',
    reason: 'payload-too-large',
  });
});
