import { SIMULATOR_SECRET, type SimulatorRequest } from '@pushfleet/channel-kit/testing';
import { makeSimulator } from './simulator';

const simulator = makeSimulator({ now: () => 1_700_000_000_000 });
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

test('a repeated call is answered as the first was', () => {
  expect(simulator.answer(request(notice))).toEqual(simulator.answer(request(notice)));
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
  ['a notification id out of range', { notify_id: '2147483648' }, 10017],
  ['a page without address', { 'extra.notify_effect': '2' }, 10016],
  ['a long job key', { 'extra.jobkey': 'x'.repeat(21) }, 10017],
  ['a callback that is no address', { 'extra.callback': 'nowhere' }, 65036],
  ['too many pairs', Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`extra.own${i}`, 'x'])), 65015],
  ['a long pair', { 'extra.own': 'x'.repeat(1025) }, 65014],
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
  expect(simulator.misbehave('token-expired', request(notice))).toEqual(simulator.answer(request(notice)));
});
