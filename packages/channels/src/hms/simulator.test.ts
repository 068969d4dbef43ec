import { postTo, type SimulatorAnswer } from '@pushfleet/channel-kit/testing';
import { makeSimulator } from './simulator';

const TOKEN_FORM = 'grant_type=client_credentials&client_id=1&client_secret=sim-secret';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const notice = {
  title: 'T',
  body: 'B',
  click_action: { type: 3 },
};
const message = { android: { notification: notice }, token: ['r1'] };

function openSimulator(): { send(message: unknown, appId?: string): SimulatorAnswer; tick(ms: number): void } {
  let at = 1_700_000_000_000;
  const simulator = makeSimulator({ now: () => at });
  const { access_token } = JSON.parse(simulator.answer(postTo('/oauth2/v3/token', TOKEN_FORM, FORM)).body) as {
    access_token: string;
  };
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
  return {
    send: (sent, appId = '1') =>
      simulator.answer(postTo(`/v1/${appId}/messages:send`, JSON.stringify({ message: sent }), headers)),
    tick(ms) {
      at += ms;
    },
  };
}

const codeOf = ({ body }: SimulatorAnswer): string => (JSON.parse(body) as { code: string }).code;

test('a message as the vendor wants it is taken', () => {
  expect(codeOf(openSimulator().send(message))).toBe('80000000');
  expect(codeOf(openSimulator().send({ data: 'anything', token: ['r1'] }))).toBe('80000000');
});

test.each<[string, unknown, string]>([
  ['no message', undefined, '80100003'],
  ['no target', { ...message, token: undefined }, '80100001'],
  ['two targets', { ...message, topic: 't' }, '80100001'],
  ['a token that is no list', { ...message, token: 'r1' }, '80300010'],
  ['no tokens', { ...message, token: [] }, '80300010'],
  ['too many tokens', { ...message, token: Array.from({ length: 1001 }, (_, i) => `r${i}`) }, '80300010'],
  ['a large body', { ...message, data: JSON.stringify({ x: 'x'.repeat(4096) }) }, '80300008'],
  ['no tap', { ...message, android: { notification: { ...notice, click_action: undefined } } }, '80100003'],
  ['a tap without an address', withNotice({ click_action: { type: 2 } }), '80100003'],
  ['a broken intent', withNotice({ click_action: { type: 1, intent: 'intent://x' } }), '80100003'],
  ['no title', withNotice({ title: '' }), '80100003'],
  ['data that is no JSON', { ...message, data: 'text' }, '80100003'],
  ['neither data nor notification', { token: ['r1'], android: {} }, '80100003'],
  ['a life without digits', withAndroid({ ttl: 'long' }), '80100004'],
  ['a life of nothing', withAndroid({ ttl: '0s' }), '80100004'],
  ['a life over 15 days', withAndroid({ ttl: '1296001s' }), '80100004'],
  ['a wrong collapse key', withAndroid({ collapse_key: 101 }), '80100013'],
  ['a wrong category', withAndroid({ category: 'NEWS' }), '80100001'],
  ['a wrong badge', withNotice({ badge: { set_num: 100 } }), '80100001'],
])('%s is refused', (_, sent, code) => {
  const answer = openSimulator().send(sent);
  expect(codeOf(answer)).toBe(code);
  expect(answer.sent).toBeUndefined();
});

function withAndroid(fields: object): unknown {
  return { ...message, android: { ...message.android, ...fields } };
}

function withNotice(fields: object): unknown {
  return withAndroid({ notification: { ...notice, ...fields } });
}

test('refused registrations come back as JSON inside the message text', () => {
  const { body, sent } = openSimulator().send({ ...message, token: ['r1', 'gone-1', 'bad-1'] });
  const { code, msg } = JSON.parse(body) as { code: string; msg: string };
  expect(code).toBe('80100000');
  expect(JSON.parse(msg)).toEqual({ success: 1, failure: 2, illegal_tokens: ['gone-1', 'bad-1'] });
  expect(sent?.registrationIds).toEqual(['r1']);
});

test('a token lives for an hour and for the app it was issued to', () => {
  const simulator = openSimulator();
  expect(simulator.send(message, '2').status).toBe(401);
  simulator.tick(3_599_000);
  expect(codeOf(simulator.send(message))).toBe('80000000');
  simulator.tick(1000);
  expect(codeOf(simulator.send(message))).toBe('80200003');
});

test.each([
  'grant_type=password&client_id=1&client_secret=sim-secret',
  'grant_type=client_credentials&client_secret=sim-secret',
  'grant_type=client_credentials&client_id=1&client_secret=other',
  '',
])('no token is issued for %j', (form) => {
  const answer = makeSimulator({ now: () => 0 }).answer(postTo('/oauth2/v3/token', form, FORM));
  expect(answer.status).toBe(400);
  expect(answer.body).not.toContain('access_token');
});

test('a message that is only to be validated reaches nobody', () => {
  const simulator = makeSimulator({ now: () => 0 });
  const { access_token } = JSON.parse(simulator.answer(postTo('/oauth2/v3/token', TOKEN_FORM, FORM)).body) as {
    access_token: string;
  };
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ validate_only: true, message });
  const answer = simulator.answer(postTo('/v1/1/messages:send', body, headers));
  expect(codeOf(answer)).toBe('80000000');
  expect(answer.sent).toBeUndefined();
});

test('tokens are granted to forms alone', () => {
  const simulator = makeSimulator({ now: () => 1_700_000_000_000 });
  for (const type of [undefined, 'text/plain;charset=UTF-8', 'application/json']) {
    const answer = simulator.answer(postTo('/oauth2/v3/token', TOKEN_FORM, { 'content-type': type }));
    expect([answer.status, answer.body.includes('access_token')]).toEqual([400, false]);
  }
});

test.each(['GET', 'PUT'])('%s is no way to ask for a token or to send', (method) => {
  const simulator = makeSimulator({ now: () => 1_700_000_000_000 });
  for (const path of ['/oauth2/v3/token', '/v1/1/messages:send']) {
    const answer = simulator.answer({ ...postTo(path, TOKEN_FORM, FORM), method });
    expect([answer.status, answer.headers]).toEqual([405, { allow: 'POST' }]);
    expect(answer.sent).toBeUndefined();
  }
});
