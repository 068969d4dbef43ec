import { SIMULATOR_SECRET } from '@pushfleet/channel-kit/testing';
import { makeSimulator } from './simulator';

const DAY_MS = 86_400_000;
const NOTICE = { registration_id: 'r1', title: 't', description: 'd', payload: '{}', pass_through: '0' };
type Shape = readonly [name: string, source: string, form: Record<string, string>];
type OneSided = readonly [...Shape, rule: string];

function codeOf(form: Record<string, string>, strict: readonly string[] = []): number {
  const simulator = makeSimulator({ now: () => 1_700_000_000_000 });
  expect(simulator.strict?.set(strict)).toEqual([]);
  const headers = { authorization: `key=${SIMULATOR_SECRET}`, 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams({ ...NOTICE, ...form }).toString();
  const request = { method: 'POST', path: '/v3/message/regid', query: new URLSearchParams(), headers, body };
  return (JSON.parse(simulator.answer(request).body) as { code: number }).code;
}

const TAKEN: readonly Shape[] = [
  ['a notify_id in milliseconds', 'push-xiaomi 0.1.6; a second sender', { notify_id: '1764000000000' }],
  ['an empty notify_effect', 'push-xiaomi 0.1.6', { 'extra.notify_effect': '', 'extra.intent_uri': '' }],
  ['an empty callback', 'push-xiaomi 0.1.6', { 'extra.callback': '', 'extra.callback.type': '' }],
  [
    'a web page',
    '"API and parameters", 2024-10-21',
    { 'extra.notify_effect': '3', 'extra.web_uri': 'http://example.com' },
  ],
  ['a send in a week', '"API and parameters", 2024-10-21', { time_to_send: String(1_700_000_000_000 + 7 * DAY_MS) }],
  ['a send that was due', '"API and parameters", 2024-10-21', { time_to_send: '1' }],
  ['an empty channel', 'two senders', { 'extra.channel_id': '' }],
  ['a trailing comma', 'xiaomi-push 1.0.0; xiaomipush 2.0.1', { registration_id: 'r1,r2,' }],
  ['no package name', 'xiaomi-push 1.0.0', {}],
  ['a package name left empty', 'xiaomipush 2.0.1', { restricted_package_name: '' }],
  ['two package names', '"API and parameters", 2024-10-21, v3', { restricted_package_name: 'com.a.b,com.c.d' }],
  [
    'an approved template',
    'pId=2314, 2026-06-02',
    { 'extra.channel_id': '1', 'extra.template_id': 'T1', 'extra.template_param': '{"name":"张三"}' },
  ],
];

test.each(TAKEN)('%s is taken (%s)', (_, _source, form) => {
  expect(codeOf(form)).toBe(0);
});

const CODES = '"Error codes", 2024-10-18; the vendor’s library 1.0.3';
const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`extra.own${i}`, 'x']));

const REFUSED: readonly (readonly [...Shape, code: number])[] = [
  ['11 own pairs', CODES, pairs(11), 65014],
  ['an own pair of 1025 characters', CODES, { 'extra.own': 'x'.repeat(1025) }, 65015],
  ['a callback parameter of 257 bytes', CODES, { 'extra.callback.param': 'x'.repeat(257) }, 65036],
  ['a callback that is too long', CODES, { 'extra.callback': `https://a.example/${'x'.repeat(1024)}` }, 65037],
  ['a callback that is no address', CODES, { 'extra.callback': 'nowhere' }, 65038],
  ['a blank variable of a template', 'pId=2314, 2026-06-02', { 'extra.template_param': '{"name":" "}' }, 10017],
];

test.each(REFUSED)('%s is refused (%s)', (...[, , form, code]) => {
  expect(codeOf(form)).toBe(code);
});

const ONE_SIDED: readonly OneSided[] = [
  ['pass-through', 'pId=2766', { pass_through: '1' }, 'pass-through'],
  ['no notify_effect', 'pId=1856, 2024-08-14', {}, 'notify-effect'],
  ['no channel', 'two hosted services, 2025-04', {}, 'channel'],
  ['a week without a channel', 'pId=1854, 2024-09-03', { time_to_live: String(7 * DAY_MS) }, 'public-life'],
  ['a foreign package', '"Error codes", 2024-10-18, 22022', { restricted_package_name: 'com.other.app' }, 'package'],
];

test.each(ONE_SIDED)('%s is taken, and refused only when told to be strict (%s)', (...[, , form, rule]) => {
  expect(codeOf(form)).toBe(0);
  expect(codeOf(form, [rule])).not.toBe(0);
});

test('what the vendor wants today passes every strict rule', () => {
  const form = {
    restricted_package_name: 'com.example.app',
    time_to_live: String(7 * DAY_MS),
    'extra.notify_effect': '1',
    'extra.channel_id': '100',
  };
  expect(codeOf(form, ['pass-through', 'notify-effect', 'channel', 'public-life', 'package'])).toBe(0);
});
