import { layOver } from '@pushfleet/channel-kit';
import { type JsonObject } from '@pushfleet/domain';
import { SIMULATOR_SECRET, type SimulatorAnswer, type SimulatorRequest } from '@pushfleet/channel-kit/testing';
import { signed } from './sign';
import { makeSimulator } from './simulator';

const simulator = makeSimulator({ now: () => 1_700_000_000_000 });
const notice = {
  noticeBarInfo: { title: 't', content: 'c' },
  pushTimeInfo: { offLine: 1, validTime: 24 },
};

const request = (params: Record<string, string>, secret = SIMULATOR_SECRET): SimulatorRequest => ({
  method: 'POST',
  path: '/garcia/api/server/push/varnished/pushByPushId',
  query: new URLSearchParams(),
  headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
  body: signed({ appId: '100999', pushIds: 'id1', messageJson: JSON.stringify(notice), ...params }, secret),
});
const push = (params: Record<string, string>, secret?: string): SimulatorAnswer =>
  simulator.answer(request(params, secret));
const bodyOf = (answer: SimulatorAnswer): unknown => JSON.parse(answer.body);

test('a signed push is accepted, and every message has an id of its own', () => {
  expect(bodyOf(push({}))).toMatchObject({ code: '200', value: {}, msgId: expect.stringMatching(/^[0-9a-f]{32}$/) });
  expect(push({}).sent?.messageId).not.toBe(push({}).sent?.messageId);
});

test('dead and malformed registrations are told apart beside the accepted ones', () => {
  const answer = push({ pushIds: 'id1,gone-2,bad-3' });
  expect(bodyOf(answer)).toMatchObject({ code: '200', value: { 110002: ['gone-2'], 110003: ['bad-3'] } });
  expect(answer.sent).toMatchObject({ registrationIds: ['id1'] });
});

test('a wrong secret or a changed text breaks the signature', () => {
  expect(bodyOf(push({}, 'wrong'))).toMatchObject({ code: '1006' });
  const good = request({});
  expect(bodyOf(simulator.answer({ ...good, body: good.body.replace('id1', 'id2') }))).toMatchObject({ code: '1006' });
});

test.each<[string, Record<string, string>, string]>([
  ['no app', { appId: '' }, '110000'],
  ['no registration', { pushIds: '' }, '110004'],
  ['too many registrations', { pushIds: Array.from({ length: 101 }, (_, i) => `id${i}`).join(',') }, '1005'],
  ['a message that is no JSON', { messageJson: '{' }, '1005'],
])('%s is refused', (_, params, code) => {
  expect(bodyOf(push(params))).toMatchObject({ code, value: '' });
});

test.each<[string, JsonObject]>([
  ['no title', { noticeBarInfo: { title: '' } }],
  ['a title of 33 characters', { noticeBarInfo: { title: 'x'.repeat(33) } }],
  ['a content of 101 characters', { noticeBarInfo: { content: 'x'.repeat(101) } }],
  ['a life of 73 hours', { pushTimeInfo: { validTime: 73 } }],
  ['a page without activity', { clickTypeInfo: { clickType: 1 } }],
  ['an address without url', { clickTypeInfo: { clickType: 2 } }],
  ['parameters as text', { clickTypeInfo: { parameters: '{}' } }],
  ['an address over 1000 bytes', { clickTypeInfo: { clickType: 2, url: `a://${'中'.repeat(334)}` } }],
  ['a page over 1000 bytes', { clickTypeInfo: { clickType: 1, activity: '页'.repeat(334) } }],
  ['an attribute of its own without one', { clickTypeInfo: { clickType: 3 } }],
  ['a sound that is no flag', { advanceInfo: { notificationType: { sound: 2 } } }],
  ['a time of display that is none', { advanceInfo: { fixDisplay: 1, fixStartDisplayTime: 'tomorrow' } }],
  ['a subtitle of 17 characters', { vipInfo: { subtitle: 'x'.repeat(17) } }],
  ['a title in green', { vipInfo: { titleColor: '#00FF00' } }],
  ['half an hour less a second on top', { vipInfo: { timeTop: 1799 } }],
  ['two ways to the top', { vipInfo: { pullDownTop: 1, timeTop: 1800 } }],
  ['a coloured title on a background', { vipInfo: { titleColor: '#206CFF', backgroundImgUrl: 'https://a.example/b' } }],
  ['a key of nine characters', { advanceInfo: { notifyKey: '123456789' } }],
  ['a callback over 128 bytes', { extra: { callback: `https://push.example.com/${'x'.repeat(110)}` } }],
  [
    'a callback parameter over 64 bytes',
    { extra: { callback: 'https://a.example', 'callback.param': 'x'.repeat(65) } },
  ],
])('%s is a parameter error', (_, over) => {
  const messageJson = JSON.stringify(layOver(notice, over));
  expect(bodyOf(push({ messageJson }))).toMatchObject({ code: '1005' });
});

test('every app id is known', () => {
  expect(bodyOf(push({ appId: 'my-app' }))).toMatchObject({ code: '200' });
});

test('flags are taken as numbers and as booleans', () => {
  for (const offLine of [1, 0, true, false]) {
    const messageJson = JSON.stringify(layOver(notice, { pushTimeInfo: { offLine } }));
    expect(bodyOf(push({ messageJson }))).toMatchObject({ code: '200' });
  }
});

test('the push id is read back from the callback parameter', () => {
  const messageJson = JSON.stringify({ ...notice, extra: { callback: 'https://a.example', 'callback.param': 'p1' } });
  expect(push({ messageJson }).sent?.pushId).toBe('p1');
});

test.each([
  ['1', { delivered: true, clicked: false, unknown: true }],
  ['2', { delivered: false, clicked: true, unknown: true }],
  [3, { delivered: true, clicked: true, unknown: true }],
  [undefined, { delivered: true, clicked: true, unknown: true }],
])('a message that asks for receipts of type %j gets no others', (type, told) => {
  const extra = { callback: 'https://a.example', ...(type && { 'callback.type': type }) };
  const { sent } = push({ messageJson: JSON.stringify({ ...notice, extra }) });
  for (const [kind, isTold] of Object.entries(told))
    expect([kind, sent && simulator.receipt?.(kind as keyof typeof told, sent) !== undefined]).toEqual([kind, isTold]);
});

test.each([
  ['yesterday', { startTime: '20231113', endTime: '20231113' }, '200'],
  ['two months', { startTime: '20230901', endTime: '20231101' }, '1005'],
  ['no day', { startTime: 'x', endTime: '20231101' }, '1005'],
])('statistics of %s', (_, days, code) => {
  const query = new URLSearchParams(signed({ appId: '100999', ...days }, SIMULATOR_SECRET));
  const path = '/garcia/api/server/push/statistics/dailyPushStatics';
  const answer = simulator.answer({ method: 'GET', path, query, headers: {}, body: '' });
  expect(bodyOf(answer)).toMatchObject({ code });
  expect(answer.sent).toBeUndefined();
});

test.each([
  ['throttled', '110010'],
  ['quota', '110019'],
] as const)('%s is told in the vendor’s codes', (kind, code) => {
  expect(bodyOf(simulator.misbehave(kind, request({})))).toMatchObject({ code, value: '' });
});

test('a vendor without tokens cannot let one expire', () => {
  expect(bodyOf(simulator.misbehave('token-expired', request({})))).toMatchObject({ code: '200' });
});
