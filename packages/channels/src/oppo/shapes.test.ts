import { formTo, SIMULATOR_SECRET } from '@pushfleet/channel-kit/testing';
import { AUTH_PATH, SAVE_PATH, UNICAST_PATH } from './endpoints';
import { makeSimulator } from './simulator';
import { signOf } from './token';

/** Requests as senders in the field shape them, and what the vendor says to each; the last column says who says so. */
const PAGE = 'OPPO open platform, "Notification fields", page 11236';
const FIELD = 'the vendor’s library 1.1.0 and four senders, 2026';
const HOSTED = 'hosted services, 2025 and 2026';

const text = { title: 'Title', content: 'Body' };
const url = { click_action_type: 5, click_action_url: 'myapp://order/1' };

const SHAPES: readonly (readonly [shape: string, notification: object, code: number, source: string])[] = [
  ['an unknown key', { ...text, surprise: 1 }, 0, FIELD],
  ['a life of ten minutes', { ...text, off_line_ttl: 600 }, 0, FIELD],
  ['a life of more than ten days', { ...text, off_line_ttl: 2_000_000 }, 0, PAGE],
  ['a call_back_parameter of 100 characters', { ...text, call_back_parameter: 'x'.repeat(100) }, 0, PAGE],
  ['a call_back_parameter of 101 characters', { ...text, call_back_parameter: 'x'.repeat(101) }, 41, PAGE],
  ['category IM without a template', { ...text, category: 'IM' }, 54, HOSTED],
  ['category IM with a template', { ...text, category: 'IM', private_msg_template_id: 't' }, 0, HOSTED],
  ['category ORDER without a template', { ...text, category: 'ORDER' }, 0, PAGE],
  ['a content of 51 characters', { ...text, content: 'x'.repeat(51) }, 41, PAGE],
  ['a long text of 128 characters', { ...text, style: 2, content: 'x'.repeat(128) }, 0, PAGE],
  ['a long text of 129 characters', { ...text, style: 2, content: 'x'.repeat(129) }, 41, PAGE],
  ['a badge over 99', { ...text, badge_operation_type: 0, badge_message_count: 120 }, 0, PAGE],
  ['click_action_type 3', { ...text, click_action_type: 3 }, 41, PAGE],
  ['a scheme URL', { ...text, ...url }, 0, PAGE],
  ['a web page', { ...text, click_action_type: 2, click_action_url: 'http://example.com' }, 0, PAGE],
  ['a web page with a scheme of the app', { ...text, ...url, click_action_type: 2 }, 41, PAGE],
  ['parameters in braces that are no JSON', { ...text, action_parameters: '{a}' }, 41, PAGE],
  ['parameters as JSON', { ...text, action_parameters: '{"a":{"b":"1"}}' }, 0, PAGE],
  ['parameters as an object', { ...text, action_parameters: { a: 1 } }, 41, PAGE],
];

function openVendor() {
  const simulator = makeSimulator({ now: () => 1_700_000_000_000 });
  const post = (path: string, form: Record<string, string>) => simulator.answer(formTo(path, form));
  const ask = (path: string, form: Record<string, string>) =>
    JSON.parse(post(path, form).body) as { code: number; data?: { auth_token?: string } };
  const timestamp = 1_700_000_000_000;
  const sign = signOf({ appKey: 'any', timestamp, masterSecret: SIMULATOR_SECRET });
  const auth = { app_key: 'any', timestamp: String(timestamp), sign, sdk_version: 'JAVA_SDK_V1.1.0' };
  const auth_token = ask(AUTH_PATH, auth).data?.auth_token ?? '';
  const messageOf = (notification: object, more: object): string =>
    JSON.stringify({ target_type: 2, target_value: 'a', notification, ...more });
  return {
    strict: simulator.strict,
    sent: (notification: object) => post(UNICAST_PATH, { auth_token, message: messageOf(notification, {}) }).sent,
    unicast: (notification: object, more = {}) =>
      ask(UNICAST_PATH, { auth_token, message: messageOf(notification, more) }).code,
    save: (fields: Record<string, string>) => ask(SAVE_PATH, { auth_token, ...fields }).code,
  };
}

test.each(SHAPES)('%s', (...[, notification, code, source]) => {
  expect([openVendor().unicast(notification), source]).toEqual([code, source]);
});

test('the version that the vendor’s library adds to its forms, and other keys, are ignored', () => {
  const { save, unicast } = openVendor();
  expect(save({ ...text, sdk_version: 'JAVA_SDK_V1.1.0', off_line_ttl: '600' })).toBe(0);
  expect(unicast(text, { surprise: 1 })).toBe(0);
});

test('a single message has one target', () => {
  expect(openVendor().unicast(text, { target_value: 'a;b' })).toBe(41);
});

test('a life of more than ten days is cut to ten', () => {
  expect(openVendor().sent({ ...text, off_line_ttl: 2_000_000 })?.message).toMatchObject({ off_line_ttl: 864_000 });
});

test('rules that only one side names hold when somebody wants them to', () => {
  const { save, unicast, strict } = openVendor();
  expect(save({ ...text, private_msg_template_id: 't' })).toBe(0);
  expect(strict?.set(['least-life', 'known-keys', 'single-private'])).toEqual([]);
  expect(save({ ...text, private_msg_template_id: 't' })).toBe(27);
  expect(unicast({ ...text, off_line_ttl: 600 })).toBe(41);
  expect(unicast({ ...text, surprise: 1 })).toBe(41);
  expect(unicast(text)).toBe(0);
});
