import { SIMULATOR_SECRET } from '@pushfleet/channel-kit/testing';
import type { JsonObject } from '@pushfleet/domain';
import { AUTH_PATH, LIST_PATH, SAVE_PATH, SEND_PATH } from './endpoints';
import { makeSimulator, SIMULATOR_PROFILE } from './simulator';
import { signOf } from './token';

const NOW = 1_700_000_000_000;
const APP = { appId: 10004 };
const MESSAGE = { notifyType: 4, title: 'Title', content: 'Body', skipType: 1, requestId: 'r1', regId: 'reg-1' };

function openVendor(strict: readonly string[] = []) {
  const simulator = makeSimulator({ now: () => NOW });
  expect(simulator.strict?.set(strict)).toEqual([]);
  const ask = (path: string, body: JsonObject, authtoken = '') => {
    const headers = { 'content-type': 'application/json', authtoken };
    return simulator.answer({
      method: 'POST',
      path,
      query: new URLSearchParams(),
      headers,
      body: JSON.stringify(body),
    });
  };
  const read = (path: string, body: JsonObject, token?: string) =>
    JSON.parse(ask(path, body, token).body) as { result: number; authToken?: string; taskId?: string };
  const auth = (appKey: string = SIMULATOR_PROFILE.appKey) => {
    const sign = signOf({ ...APP, appKey, timestamp: NOW, appSecret: SIMULATOR_SECRET });
    return read(AUTH_PATH, { ...APP, appKey, timestamp: NOW, sign });
  };
  const authToken = auth().authToken ?? '';
  return { ask, auth, authToken, call: (path: string, body: JsonObject) => read(path, body, authToken) };
}

const resultOf = (message: JsonObject, strict?: readonly string[]): number =>
  openVendor(strict).call(SEND_PATH, { ...MESSAGE, ...message }).result;

const TAKEN: readonly (readonly [name: string, source: string, message: JsonObject])[] = [
  ['no appId', 'the vendor’s library 3.3; five others', {}],
  ['an appId as text', 'two senders', { appId: '10004' }],
  ['numbers as text', 'samples of the vendor, 2.9.2', { networkType: '1', notifyType: '4' }],
  ['addBadge', 'the vendor’s library 3.3', { addBadge: true }],
  ['callback.id', 'console guides, 2023-01-10', { extra: { 'callback.id': '7', 'callback.param': 'p' } }],
  ['both callbacks', 'console guides', { extra: { callback: 'https://a.example', 'callback.id': '7' } }],
  ['a registration of 60 characters', 'three servers', { regId: `v2-${'x'.repeat(57)}` }],
];

test.each(TAKEN)('%s is taken (%s)', (...[, , message]) => {
  expect(resultOf(message)).toBe(0);
});

const API = 'vivo push server API 2.9.2';
const NOTES = 'newer notes';

const REFUSED: readonly (readonly [name: string, source: string, message: JsonObject, result: number])[] = [
  ['a skipType as text without its link', 'samples of the vendor, 2.9.2', { skipType: '2' }, 10061],
  ['a skipType as text with a long link', NOTES, { skipType: '4', skipContent: 'x'.repeat(2049) }, 10069],
  ['another app’s id', API, { appId: 10005 }, 10094],
  ['an unknown key in extra', API, { extra: { other: 'x' } }, 10304],
  ['a skipContent of 2049 characters', NOTES, { skipType: 4, skipContent: 'x'.repeat(2049) }, 10069],
  ['a callback parameter of 193 characters', NOTES, { extra: { 'callback.param': 'x'.repeat(193) } }, 10306],
  ['an addBadge that is no boolean', 'the vendor’s library 3.3', { addBadge: 1 }, 10050],
];

test.each(REFUSED)('%s is refused (%s)', (...[, , message, result]) => {
  expect(resultOf(message)).toBe(result);
});

type OneSided = readonly [name: string, source: string, message: JsonObject, rule: string, result: number];

const ONE_SIDED: readonly OneSided[] = [
  ['a message without appId', API, {}, 'app-id', 10094],
  ['a skipContent of 2048 characters', API, { skipType: 4, skipContent: 'x'.repeat(2048) }, 'old-lengths', 10069],
  [
    'a callback parameter of 192 characters',
    API,
    { extra: { 'callback.param': 'x'.repeat(192) } },
    'old-lengths',
    10306,
  ],
  ['a life of a week', NOTES, { timeToLive: 604_800 }, 'one-day', 10059],
];

test.each(ONE_SIDED)('%s is taken, and refused only when told to be strict (%s)', (...[, , message, rule, result]) => {
  expect(resultOf(message)).toBe(0);
  expect(resultOf(message, [rule])).toBe(result);
});

test('any appKey whose sign fits is taken, and refused only when told to be strict', () => {
  expect(openVendor().auth('another-key').result).toBe(0);
  expect(openVendor(['app-key']).auth('another-key').result).toBe(10202);
});

test('authentications beyond ten a second are refused only when told to be strict', () => {
  const results = (vendor: ReturnType<typeof openVendor>) => Array.from({ length: 11 }, () => vendor.auth().result);
  expect(new Set(results(openVendor()))).toEqual(new Set([0]));
  expect(results(openVendor(['auth-rate'])).slice(8)).toEqual([0, 10093, 10093]);
});

test('the address in a message reports single sends only', () => {
  const { ask, authToken, call } = openVendor();
  const extra = { callback: 'http://127.0.0.1:1/c', 'callback.param': 'p' };
  const single = ask(SEND_PATH, { ...MESSAGE, extra }, authToken);
  expect(single.sent).toMatchObject({ pushId: 'p', receiptUrl: extra.callback });
  const { regId: _, ...saved } = { ...MESSAGE, requestId: 'r2', extra };
  const { taskId = '' } = call(SAVE_PATH, saved);
  const list = ask(LIST_PATH, { taskId, requestId: 'r3', regIds: ['a', 'b'] }, authToken);
  expect(list.sent).toMatchObject({ pushId: 'p', registrationIds: ['a', 'b'] });
  expect(list.sent?.receiptUrl).toBeUndefined();
});
