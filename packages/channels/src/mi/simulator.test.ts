import { SIMULATOR_SECRET, type SimulatorRequest } from '@pushfleet/channel-kit/testing';
import { makeSimulator } from './simulator';

const NOW = 1_700_000_000_000;
const simulator = makeSimulator({ now: () => NOW });
const notice = { registration_id: 'r1', title: 't', description: 'd', payload: '{}', pass_through: '0' };

const request = (form: Record<string, string>, over: Partial<SimulatorRequest> = {}): SimulatorRequest => ({
  method: 'POST',
  path: '/v3/message/regid',
  query: new URLSearchParams(),
  headers: { authorization: `key=${SIMULATOR_SECRET}`, 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(form).toString(),
  ...over,
});
const bodyOf = (form: Record<string, string>, over: Partial<SimulatorRequest> = {}): unknown =>
  JSON.parse(simulator.answer(request(form, over)).body);

test('a good call is accepted under every version of the path', () => {
  for (const path of ['/v2/message/regid', '/v3/message/regid', '/v4/message/regid']) {
    expect(simulator.handles(path)).toBe(true);
    expect(bodyOf(notice, { path })).toMatchObject({ result: 'ok', code: 0, data: { id: expect.any(String) } });
  }
});

test('every message has an id of its own, repeats included', () => {
  const ids = Array.from({ length: 3 }, () => simulator.answer(request(notice)).sent?.messageId);
  expect(new Set(ids).size).toBe(3);
});

test('a device drops a second message with the same job key', () => {
  const reached = (registration_id: string, jobKey: string) =>
    simulator.answer(request({ ...notice, registration_id, 'extra.jobkey': jobKey })).sent?.registrationIds;
  expect(reached('d1', 'job-1')).toEqual(['d1']);
  expect(reached('d1,d2', 'job-1')).toEqual(['d2']);
  expect(reached('d1', 'job-2')).toEqual(['d1']);
});

test.each([
  ['/v3/message/alias', 'alias'],
  ['/v2/message/user_account', 'user_account'],
])('%s addresses by %s', (path, field) => {
  const { registration_id: _, ...rest } = notice;
  expect(simulator.answer(request({ ...rest, [field]: 'somebody' }, { path })).sent?.registrationIds).toEqual([
    'somebody',
  ]);
});

test.each([
  ['/v3/message/regid', 'alias'],
  ['/v3/message/alias', 'registration_id'],
])('%s misses its own address beside %s', (path, field) => {
  const { registration_id: _, ...rest } = notice;
  expect(bodyOf({ ...rest, [field]: 'somebody' }, { path })).toMatchObject({ code: 10016 });
});

test('spaces may be encoded either way and a trailing comma names nobody', () => {
  const body = 'registration_id=r1%2C&title=a%20b&description=a+b&pass_through=0';
  const { sent } = simulator.answer(request({}, { body }));
  expect(sent).toMatchObject({ registrationIds: ['r1'], message: { title: 'a b', description: 'a b' } });
});

test('dead and malformed registrations are named beside the accepted ones', () => {
  const answer = simulator.answer(request({ ...notice, registration_id: 'r1,gone-2,bad-3' }));
  expect(JSON.parse(answer.body)).toMatchObject({ code: 0, data: { bad_regids: 'gone-2,bad-3' } });
  expect(answer.sent?.registrationIds).toEqual(['r1']);
});

test('a call without a valid registration reaches nobody', () => {
  const answer = simulator.answer(request({ ...notice, registration_id: 'gone-1,bad-2' }));
  expect(JSON.parse(answer.body)).toMatchObject({ result: 'error', code: 20301, reason: 'No valid targets!' });
  expect(answer.sent).toBeUndefined();
});

test.each([
  ['3', { delivered: true, clicked: true, 'registration-gone': false, unknown: true }],
  ['17', { delivered: true, clicked: false, 'registration-gone': true, unknown: true }],
  [undefined, { delivered: true, clicked: true, 'registration-gone': false, unknown: true }],
])('a message that asks for receipts of type %s gets no others', (type, told) => {
  const asked = { 'extra.callback': 'http://127.0.0.1:1/c', ...(type && { 'extra.callback.type': type }) };
  const { sent } = simulator.answer(request({ ...notice, ...asked }));
  for (const [kind, isTold] of Object.entries(told))
    expect([kind, sent && simulator.receipt?.(kind as keyof typeof told, sent) !== undefined]).toEqual([kind, isTold]);
});

test('a wrong secret is refused on every path', () => {
  const headers = { authorization: 'key=wrong', 'content-type': 'application/x-www-form-urlencoded' };
  expect(bodyOf(notice, { headers })).toMatchObject({ code: 21301 });
  expect(bodyOf({}, { headers, method: 'GET', path: '/v1/trace/quota/get', body: '' })).toMatchObject({ code: 21301 });
});

test.each<[string, Record<string, string>, number]>([
  ['no registration', { registration_id: '' }, 10016],
  ['too many registrations', { registration_id: Array.from({ length: 1001 }, (_, i) => `r${i}`).join(',') }, 10017],
  ['a foreign package', { restricted_package_name: 'nonsense' }, 22022],
  ['no title', { title: ' ' }, 10016],
  ['a title of 50 characters', { title: 'x'.repeat(50) }, 10017],
  ['a description of 128 characters', { description: 'x'.repeat(128) }, 10017],
  ['an empty pass-through message', { pass_through: '1', payload: '' }, 10016],
  ['a payload over 4 KB', { payload: 'x'.repeat(4097) }, 65009],
  ['a life of eleven days', { time_to_live: String(11 * 86_400_000) }, 10017],
  ['a notification id of 14 digits', { notify_id: '1'.repeat(14) }, 10017],
  ['a web page that is none', { 'extra.notify_effect': '3', 'extra.web_uri': 'myapp://x' }, 10017],
  ['a send in a month and more', { time_to_send: String(NOW + 31 * 86_400_000) }, 10017],
  ['a page without address', { 'extra.notify_effect': '2' }, 10016],
  ['a long job key', { 'extra.jobkey': 'x'.repeat(21) }, 10017],
  ['a template without a channel', { 'extra.template_id': 'T1' }, 27001],
  ['template values that are no text', { 'extra.template_param': '{"a":1}' }, 10017],
  ['a blank template value', { 'extra.template_param': '{"a":" "}' }, 10017],
  ['an emoji in a template value', { 'extra.template_param': '{"a":"hi 😀"}' }, 10017],
  ['a flag in a template value', { 'extra.template_param': '{"a":"🇨🇳"}' }, 10017],
  ['a template value of 129 characters', { 'extra.template_param': JSON.stringify({ a: 'x'.repeat(129) }) }, 10017],
  [
    'ten template values',
    { 'extra.template_param': JSON.stringify(Object.fromEntries(Array.from('abcdefghij', (key) => [key, 'v']))) },
    10017,
  ],
])('%s is refused', (_, over, code) => {
  expect(bodyOf({ ...notice, ...over })).toMatchObject({ result: 'error', code });
});

test('the quota can be asked without reaching a device', () => {
  const answer = simulator.answer(request({}, { method: 'GET', path: '/v1/trace/quota/get', body: '' }));
  expect(JSON.parse(answer.body)).toMatchObject({ code: 0, data: { day_quota: expect.any(String) } });
  expect(answer.sent).toBeUndefined();
});

test.each([
  ['throttled', 200002],
  ['quota', 200001],
] as const)('%s is told in the vendor’s codes', (kind, code) => {
  expect(JSON.parse(simulator.misbehave(kind, request(notice)).body)).toMatchObject({ result: 'error', code });
});

test('a vendor without tokens cannot let one expire', () => {
  expect(JSON.parse(simulator.misbehave('token-expired', request(notice)).body)).toMatchObject({ code: 0 });
});
