import { type SimulatorRequest } from '@pushfleet/channel-kit/testing';
import { makeSimulator } from './simulator';

/** Requests as senders in the field shape them, and what the vendor says to each; the last column says who says so. */
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const API = 'Honor "Push Kit: downlink message", 2024-10-11';
const FIELD = 'a client of the field, 2026';
const CLIENTS = 'clients that copy the document disagree';

const NOW = 1_700_000_000_000;
const notice = { title: 'T', body: 'B', clickAction: { type: 3 } };
const shown = (fields: object): object => ({ android: { notification: { ...notice, ...fields } }, token: ['r1'] });
const button = { name: 'Open', actionType: 0 };
const many = Array.from({ length: 1001 }, (_, i) => `r${i}`);

const SHAPES: readonly (readonly [shape: string, body: object, code: number, source: string])[] = [
  ['style 1 with big texts', shown({ style: 1, bigTitle: 'T', bigBody: 'B' }), 200, API],
  ['style 1 without bigBody', shown({ style: 1, bigTitle: 'T' }), 80100003, API],
  ['an image by http', shown({ image: 'http://example.com/i.png' }), 80100001, API],
  ['a tap on an http address', shown({ clickAction: { type: 2, url: 'http://example.com' } }), 80100003, API],
  ['3 buttons', shown({ buttons: [button, button, button] }), 200, API],
  ['4 buttons', shown({ buttons: [button, button, button, button] }), 80100001, API],
  ['a button with much data', shown({ buttons: [{ ...button, data: 'x'.repeat(1025) }] }), 80100001, API],
  ['a button with an unknown intentType', shown({ buttons: [{ ...button, intentType: 2 }] }), 80100001, API],
  ['a button with all fields', shown({ buttons: [{ ...button, intentType: 1, intent: 'a', data: 'x' }] }), 200, API],
  ['a common image by http', { ...shown({}), notification: { image: 'http://example.com/i.png' } }, 80100001, API],
  ['a time of the event', shown({ when: '2014-10-02T15:01:23.045123456Z' }), 200, API],
  ['a time of the event without a zone', shown({ when: '2014-10-02 15:01:23' }), 80100001, API],
  ['buttons as an object', shown({ buttons: button }), 80100001, CLIENTS],
  ['a notifyId of text', shown({ notifyId: '7' }), 80100001, CLIENTS],
  ['importance HIGH', shown({ importance: 'HIGH' }), 80100001, API],
  ['an empty importance', shown({ importance: '' }), 200, FIELD],
  ['empty data', { ...shown({}), data: '' }, 200, FIELD],
  ['addNum: 0 beside setNum', shown({ badge: { addNum: 0, setNum: 3, badgeClass: 'M' } }), 200, FIELD],
  ['addNum: 0 alone', shown({ badge: { addNum: 0 } }), 80100001, API],
  ['fields that are not documented', shown({ channelId: 'c', foregroundShow: true }), 200, CLIENTS],
  [
    'more than 4096 bytes',
    { ...shown({}), data: JSON.stringify({ x: 'x'.repeat(5000) }) },
    200,
    'no limit is documented',
  ],
  ['more than 1000 tokens', { ...shown({}), token: many }, 200, 'no limit is documented'],
];

function openVendor() {
  const simulator = makeSimulator({ now: () => NOW });
  const request = (path: string, body: string, headers: SimulatorRequest['headers'] = {}) =>
    simulator.answer({ method: 'POST', path, query: new URLSearchParams(), headers, body });
  const form = 'grant_type=client_credentials&client_id=c&client_secret=sim-secret';
  const token = (): string =>
    (JSON.parse(request('/auth/token', form, FORM).body) as { access_token: string }).access_token;
  const send = (body: object, { appId = '104', bearer = token() } = {}) => {
    const headers = { authorization: `Bearer ${bearer}`, timestamp: String(NOW), 'content-type': 'application/json' };
    const answer = request(`/api/v1/${appId}/sendMessage`, JSON.stringify(body), headers);
    return { status: answer.status, code: (JSON.parse(answer.body) as { code: number }).code };
  };
  return { send, token, strict: simulator.strict };
}

test.each(SHAPES)('%s', (...[, body, code, source]) => {
  expect([openVendor().send(body).code, source]).toEqual([code, source]);
});

test('a token is of the app that it was first used for', () => {
  const { send, token } = openVendor();
  const bearer = token();
  expect(send(shown({}), { appId: '1', bearer })).toEqual({ status: 200, code: 200 });
  expect(send(shown({}), { appId: '2', bearer })).toEqual({ status: 403, code: 80200001 });
  expect(send(shown({}), { appId: '2' })).toEqual({ status: 200, code: 200 });
});

test('the limits of the parent protocol hold when somebody wants them to', () => {
  const { send, strict } = openVendor();
  expect(strict?.set(['tokens', 'size'])).toEqual([]);
  expect(send({ ...shown({}), token: many }).code).toBe(80300010);
  expect(send({ ...shown({}), data: JSON.stringify({ x: 'x'.repeat(5000) }) }).code).toBe(80300008);
});
