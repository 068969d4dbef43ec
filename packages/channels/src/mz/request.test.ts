import { replaceKey, type BuiltRequest, type PushBatch } from '@pushfleet/channel-kit';
import { batchFor } from '@pushfleet/channel-kit/testing';
import { type JsonObject } from '@pushfleet/domain';
import { type MzProfile } from './profile';
import { buildRequest } from './request';
import { sign } from './sign';

const profile: MzProfile = { appId: '100999', appSecret: 's3cret' };
const app = { name: 'Example', overlong: 'truncate', intentHost: 'cn.leancloud.push' } as const;

const batchOf = (data: JsonObject, over: Partial<PushBatch> = {}, section: JsonObject = {}): PushBatch =>
  batchFor('mz', { data, section }, { pushId: 'abcDEF0123456789', app, registrationIds: ['id1', 'id2'], ...over });

const formOf = (batch: PushBatch, more: Partial<MzProfile> = {}): Record<string, string> =>
  Object.fromEntries(new URLSearchParams((buildRequest(batch, { ...profile, ...more }) as BuiltRequest).body));

const messageOf = (batch: PushBatch, more: Partial<MzProfile> = {}): JsonObject =>
  JSON.parse(formOf(batch, more)['messageJson'] ?? '') as JsonObject;

test('a notification opens the app and hands it the custom attributes and the action', () => {
  const data = { alert: 'hello', title: 'Hi', k1: 'a b', n: { deep: [1] }, action: 'com.example.TAP' };
  expect(messageOf(batchOf(data))).toEqual({
    noticeBarInfo: { noticeBarType: 0, title: 'Hi', content: 'hello' },
    clickTypeInfo: { clickType: 0, parameters: { k1: 'a b', n: { deep: [1] }, action: 'com.example.TAP' } },
    pushTimeInfo: { offLine: 1, validTime: 1 },
    advanceInfo: { notifyKey: replaceKey({ pushId: 'abcDEF0123456789', message: {} }).toString(36) },
  });
});

test('a request is signed over what it says', () => {
  const form = formOf(batchOf({ alert: '你好 &=+', title: 'Hi' }));
  expect(form).toMatchObject({ appId: '100999', pushIds: 'id1,id2', sign: sign(form, 's3cret') });
});

test('a message without title shows the name of the app', () => {
  expect(messageOf(batchOf({ alert: 'a' }))).toMatchObject({ noticeBarInfo: { title: 'Example' } });
});

test('a silent message is discarded: the vendor shows everything', () => {
  expect(buildRequest(batchOf({ silent: true, k: 1 }), profile)).toMatchObject({
    kind: 'discarded',
    reason: 'silent-unsupported',
  });
});

test.each([
  ['one millisecond', 1, 1],
  ['a little over an hour', 3_600_001, 2],
  ['a week', 7 * 86_400_000, 72],
])('a life of %s is told in whole hours of the vendor’s range', (_, ttlMs, validTime) => {
  expect(messageOf(batchOf({ alert: 'a' }, { ttlMs }))).toMatchObject({ pushTimeInfo: { offLine: 1, validTime } });
});

test('receipts are asked for when the fleet has an address that the vendor takes', () => {
  const receiptUrl = 'https://push.example.com/cb';
  expect(messageOf(batchOf({ alert: 'a' }, { receiptUrl }))['extra']).toEqual({
    callback: receiptUrl,
    'callback.param': 'abcDEF0123456789',
    'callback.type': '3',
  });
  const long = `https://push.example.com/${'x'.repeat(110)}`;
  expect(messageOf(batchOf({ alert: 'a' }, { receiptUrl: long }))['extra']).toBeUndefined();
});

test('the message class comes from the section, else from the profile', () => {
  const typeOf = (section: JsonObject): unknown =>
    messageOf(batchOf({ alert: 'a' }, {}, section), { noticeMsgType: 1 })['noticeBarInfo'];
  expect(typeOf({})).toMatchObject({ noticeMsgType: 1 });
  expect(typeOf({ noticeMsgType: 0 })).toMatchObject({ noticeMsgType: 0 });
  expect(typeOf({ noticeBarInfo: { noticeMsgType: 0 } })).toMatchObject({ noticeMsgType: 0, content: 'a' });
});

test('a section is merged over the generated message part by part', () => {
  const section = { clickTypeInfo: { clickType: 2, url: 'myapp://x' }, vipInfo: { subtitle: 's' } };
  expect(messageOf(batchOf({ alert: 'a', k: 1 }, {}, section))).toMatchObject({
    clickTypeInfo: { clickType: 2, url: 'myapp://x', parameters: { k: 1 } },
    vipInfo: { subtitle: 's' },
  });
});

test('text is cut at the vendor’s limits, in code points, wherever it came from', () => {
  const batch = batchOf({ alert: '😀'.repeat(101) }, {}, { noticeBarInfo: { title: 'x'.repeat(33) } });
  expect(buildRequest(batch, profile)).toMatchObject({ truncated: true });
  expect(messageOf(batch)).toMatchObject({
    noticeBarInfo: { title: `${'x'.repeat(31)}…`, content: `${'😀'.repeat(99)}…` },
  });
});

test('text of exactly the largest length is left alone', () => {
  const batch = batchOf({ alert: 'y'.repeat(100), title: 'x'.repeat(32) });
  expect(buildRequest(batch, profile)).toMatchObject({ kind: 'request', truncated: false });
});

test('an app that refuses to be cut has its devices discarded', () => {
  const batch = batchOf({ alert: 'a'.repeat(101) }, { app: { ...app, overlong: 'reject' } });
  expect(buildRequest(batch, profile)).toMatchObject({ kind: 'discarded', reason: 'message-rejected' });
});

test('the vendor judges the size of a message by itself', () => {
  const { clickTypeInfo } = messageOf(batchOf({ alert: 'a', k: 'x'.repeat(4096) }));
  expect(clickTypeInfo).toMatchObject({ parameters: { k: 'x'.repeat(4096) } });
});

test('a message without a text is not sent', () => {
  for (const alert of ['', ' '])
    expect(buildRequest(batchOf({ alert }), profile)).toMatchObject({ kind: 'discarded', reason: 'message-rejected' });
  expect(buildRequest(batchOf({ alert: '' }, {}, { noticeBarInfo: { content: 'c' } }), profile)).toMatchObject({
    kind: 'request',
  });
});

test('the record is told of receipts that nobody is asked for', () => {
  const receiptUrl = `https://push.example.com/${'x'.repeat(110)}`;
  expect(buildRequest(batchOf({ alert: 'a' }, { receiptUrl }), profile)).toMatchObject({
    notes: ['receipts: none asked for, the address is over 128 bytes'],
  });
  expect(buildRequest(batchOf({ alert: 'a' }), profile)).toMatchObject({ notes: [] });
});
