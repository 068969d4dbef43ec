import { type SimulatorRequest } from '@pushfleet/channel-kit/testing';
import { makeSimulator } from './simulator';

/** Requests as senders in the field shape them, and what the vendor says to each; the last column says who says so. */
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const API = 'Huawei "Push Kit REST API: sending messages, v1/v2", copy dated 2025-08';
const NODE = 'server demo for Node.js of the vendor, run unmodified';
const FIELD = 'a client of the field, 2026';

const OK = '80000000';
const STRUCTURE = '80100003';
const PARAMETER = '80100001';

const notice = { title: 'T', body: 'B', click_action: { type: 3 } };
const shown = (fields: object): object => ({ android: { notification: { ...notice, ...fields } }, token: ['r1'] });
const android = (fields: object): object => ({ android: { notification: notice, ...fields }, token: ['r1'] });
const silent = (fields: object): object => ({ data: 'anything', android: fields, token: ['r1'] });
const lines = (count: number): string[] => Array.from({ length: count }, (_, i) => `line ${i}`);
const RED = { alpha: 1, red: 1, green: 0, blue: 0.5 };
const light = (over: object): object => ({
  ...{ color: RED, light_on_duration: '3.5S', light_off_duration: '5S' },
  ...over,
});
const button = { name: 'Open', action_type: 0 };

const SHAPES: readonly (readonly [shape: string, message: object, code: string, source: string])[] = [
  ['style 1 with big texts', shown({ style: 1, big_title: 'T', big_body: 'B' }), OK, API],
  ['style 1 without big texts', shown({ style: 1 }), STRUCTURE, API],
  ['style 1 with one big text', shown({ style: 1, big_title: 'T' }), STRUCTURE, API],
  ['an inbox of 5 lines', shown({ style: 3, inbox_content: lines(5) }), OK, API],
  ['an inbox of 6 lines', shown({ style: 3, inbox_content: lines(6) }), PARAMETER, API],
  ['an inbox without lines', shown({ style: 3 }), STRUCTURE, API],
  ['3 buttons', shown({ buttons: [button, button, button] }), OK, API],
  ['4 buttons', shown({ buttons: [button, button, button, button] }), PARAMETER, API],
  ['a button with a long name', shown({ buttons: [{ ...button, name: 'x'.repeat(41) }] }), PARAMETER, API],
  ['an image by https', shown({ image: 'https://example.com/i.png' }), OK, API],
  ['an image by http', shown({ image: 'http://example.com/i.png' }), PARAMETER, API],
  ['a common image by http', { ...shown({}), notification: { image: 'http://example.com/i.png' } }, PARAMETER, API],
  ['a tap on an http address', shown({ click_action: { type: 2, url: 'http://example.com' } }), STRUCTURE, API],
  ['an unknown field of the message', { ...shown({}), surprise: 1 }, STRUCTURE, API],
  ['an unknown field of android', android({ surprise: 1 }), STRUCTURE, API],
  ['an unknown field of the notification', shown({ surprise: 1 }), STRUCTURE, API],
  ['an unknown field of the badge', shown({ badge: { add_num: 1, surprise: 1 } }), PARAMETER, API],
  ['urgency on a notification', android({ urgency: 'HIGH' }), PARAMETER, API],
  ['urgency on a data message', silent({ urgency: 'HIGH' }), OK, API],
  ['PLAY_VOICE on a notification', android({ category: 'PLAY_VOICE' }), PARAMETER, API],
  ['PLAY_VOICE on a data message', silent({ category: 'PLAY_VOICE' }), OK, API],
  ['an unknown category', android({ category: 'NEWS' }), PARAMETER, API],
  ['category SYSTEM_REMINDER', android({ category: 'SYSTEM_REMINDER' }), OK, 'a hosted service, 2026'],
  ['a quick app target', android({ fast_app_target: 2 }), OK, NODE],
  ['topic: null beside tokens', { ...shown({}), topic: null }, OK, FIELD],
  ['importance HIGH', shown({ importance: 'HIGH' }), OK, 'enumerations of the vendor’s server demos'],
  ['a color name', shown({ color: 'red' }), PARAMETER, API],
  ['a vibration of a minute', shown({ vibrate_config: ['60s'] }), PARAMETER, API],
  ['a time of the event', shown({ when: '2014-10-02T15:01:23.045123456Z' }), OK, API],
  ['a time of the event without a zone', shown({ when: '2014-10-02T15:01:23' }), PARAMETER, API],
  ['a time of the event as a number', shown({ when: 1_700_000_000_000 }), PARAMETER, API],
  ['texts in 3 languages', shown({ multi_lang_key: { title_key: { en: 'T', zh: '题', de: 'T' } } }), OK, API],
  ['languages as text', shown({ multi_lang_key: 'en' }), PARAMETER, API],
  ['a light', shown({ light_settings: light({}) }), OK, API],
  ['a light without a color', shown({ light_settings: light({ color: undefined }) }), PARAMETER, API],
  ['a light that is too red', shown({ light_settings: light({ color: { ...RED, red: 2 } }) }), PARAMETER, API],
  [
    'a light without durations',
    shown({ light_settings: { color: RED } }),
    OK,
    'validator of the vendor’s server demos',
  ],
  ['a light for a while', shown({ light_settings: light({ light_on_duration: 'a while' }) }), PARAMETER, API],
  ['a life with fractions', android({ ttl: '1.5s' }), OK, 'validator of the vendor’s server demos'],
];

function openVendor() {
  const simulator = makeSimulator({ now: () => 1_700_000_000_000 });
  const request = (path: string, body: string, headers: SimulatorRequest['headers'] = {}) =>
    simulator.answer({ method: 'POST', path, query: new URLSearchParams(), headers, body });
  const form = 'grant_type=client_credentials&client_id=1&client_secret=sim-secret';
  const { access_token: token } = JSON.parse(request('/oauth2/v3/token', form, FORM).body) as { access_token: string };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const send = (message: object): string =>
    (JSON.parse(request('/v1/1/messages:send', JSON.stringify({ message }), headers).body) as { code: string }).code;
  return { send, strict: simulator.strict };
}

test.each(SHAPES)('%s', (...[, message, code, source]) => {
  expect([openVendor().send(message), source]).toEqual([code, source]);
});

test('what only one hosted service lists is refused when somebody wants it so', () => {
  const { send, strict } = openVendor();
  expect(strict?.set(['system-reminder'])).toEqual([]);
  expect(send(android({ category: 'SYSTEM_REMINDER' }))).toBe(PARAMETER);
});
