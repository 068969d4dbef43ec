import { SIMULATOR_SECRET } from '@pushfleet/channel-kit/testing';
import type { JsonObject } from '@pushfleet/domain';
import { AUTH_PATH, LIST_PATH, SAVE_PATH, SEND_PATH } from './endpoints';
import { makeSimulator } from './simulator';
import { signOf } from './token';

const START = 1_700_000_000_000;
const MESSAGE = { appId: 10004, notifyType: 4, title: 'Title', content: 'Body', skipType: 1, timeToLive: 900 };

interface Answer {
  readonly result: number;
  readonly authToken?: string;
  readonly taskId?: string;
  readonly invalidUsers?: readonly unknown[];
}

function openVendor() {
  let time = START;
  let serial = 0;
  const simulator = makeSimulator({ now: () => time });
  const ask = (path: string, body: JsonObject, authToken = ''): Answer => {
    const headers = { 'content-type': 'application/json', authtoken: authToken };
    const request = { method: 'POST', path, query: new URLSearchParams(), headers, body: JSON.stringify(body) };
    return JSON.parse(simulator.answer(request).body) as Answer;
  };
  const auth = (change: JsonObject = {}): Answer => {
    const sign = signOf({ appId: 10004, appKey: 'any', timestamp: time, appSecret: SIMULATOR_SECRET });
    return ask(AUTH_PATH, { appId: 10004, appKey: 'any', timestamp: time, sign, ...change });
  };
  const authToken = auth().authToken ?? '';
  const call = (path: string, body: JsonObject): Answer =>
    ask(path, { appId: 10004, requestId: `r${(serial += 1)}`, ...body }, authToken);
  return { ask, auth, call, pass: (ms: number) => (time += ms) };
}

it.each([
  [{ appId: '' }, 10200],
  [{ appKey: '' }, 10201],
  [{ timestamp: '' }, 10203],
  [{ sign: '' }, 10204],
  [{ sign: 'x' }, 10206],
  [{ timestamp: START - 11 * 60_000 }, 10207],
])('an auth request with %j is refused with %d', (change, result) => {
  expect(openVendor().auth(change).result).toBe(result);
});

it('a call needs a token of its app that is younger than a day', () => {
  const { ask, call, pass } = openVendor();
  const body = { ...MESSAGE, regId: 'reg-1' };
  expect(ask(SEND_PATH, { ...body, requestId: 'r' }, 'unknown').result).toBe(10000);
  expect(call(SEND_PATH, { ...body, appId: 10005 }).result).toBe(10094);
  expect(call(SEND_PATH, body).result).toBe(0);
  pass(86_400_000);
  expect(call(SEND_PATH, body).result).toBe(10000);
});

it.each([
  [{ regId: '' }, 10050],
  [{ regId: 15638535410301 }, 10302],
  [{ regId: ['reg-1'] }, 10302],
  [{ requestId: '' }, 10352],
  [{ requestId: 'x'.repeat(65) }, 10353],
  [{ notifyType: 5 }, 10054],
  [{ title: '' }, 10055],
  [{ title: 'x'.repeat(41) }, 10056],
  [{ content: '' }, 10057],
  [{ content: 'x'.repeat(101) }, 10058],
  [{ timeToLive: 59 }, 10059],
  [{ skipType: 9 }, 10060],
  [{ skipType: 2 }, 10061],
  [{ skipType: 4 }, 10068],
  [{ networkType: 3 }, 10065],
  [{ clientCustomMap: Object.fromEntries(Array.from({ length: 11 }, (_, i) => [i, 'v'])) }, 10066],
  [{ clientCustomMap: { k: 1 } }, 10067],
  [{ clientCustomMap: { k: 'x'.repeat(1024) } }, 10067],
  [{ notifyId: 0 }, 10095],
  [{ category: 'WEATHER' }, 10096],
  [{ category: 'IM', classification: 0 }, 10097],
  [{ extra: { other: 'x' } }, 10304],
  [{ extra: { callback: 'x'.repeat(129) } }, 10305],
  [{ networkType: '1', notifyId: 1, classification: 0, category: 'NEWS' }, 0],
] as const)('a message with %j is answered with %d', (change, result) => {
  expect(openVendor().call(SEND_PATH, { ...MESSAGE, regId: 'reg-1', ...change }).result).toBe(result);
});

it.each([
  ['gone-b', 2],
  ['bad-c', 1],
])('%s is refused alone with the status %d', (regId, status) => {
  const desc = expect.any(String);
  expect(openVendor().call(SEND_PATH, { ...MESSAGE, regId })).toEqual({
    ...{ result: 10302, desc, invalidUser: { status, userid: regId } },
  });
});

it('a list needs a living task and 2 to 1000 registrations', () => {
  const { call, pass } = openVendor();
  expect(call(SAVE_PATH, { ...MESSAGE, timeToLive: 899 }).result).toBe(10059);
  const taskId = call(SAVE_PATH, MESSAGE).taskId ?? '';
  const list = (count: number, task = taskId): Answer =>
    call(LIST_PATH, { taskId: task, regIds: Array.from({ length: count }, (_, i) => `reg-${i}`) });
  expect([0, 1, 2, 1000, 1001].map((count) => list(count).result)).toEqual([10150, 10153, 0, 0, 10153]);
  expect(list(2, '').result).toBe(10151);
  expect(list(2, 'unknown').result).toBe(10152);
  for (const regIds of [
    ['a', 15638535410301],
    ['a', null],
    ['a', ''],
  ])
    expect(call(LIST_PATH, { taskId, regIds }).result).toBe(10302);
  expect(call(LIST_PATH, { taskId, regIds: ['a', 'gone-b', 'bad-c'] }).invalidUsers).toEqual([
    { status: 2, userid: 'gone-b' },
    { status: 1, userid: 'bad-c' },
  ]);
  pass(900_000);
  expect(list(2).result).toBe(10155);
});
