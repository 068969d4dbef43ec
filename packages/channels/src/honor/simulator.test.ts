import { postTo, type SimulatorAnswer, type SimulatorRequest } from '@pushfleet/channel-kit/testing';
import { makeSimulator } from './simulator';

const NOW = 1_700_000_000_000;
const TOKEN_FORM = 'grant_type=client_credentials&client_id=c&client_secret=sim-secret';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

function send(body: unknown, headers: SimulatorRequest['headers'] = {}): SimulatorAnswer {
  const simulator = makeSimulator({ now: () => NOW });
  const { access_token } = JSON.parse(simulator.answer(postTo('/auth/token', TOKEN_FORM, FORM)).body) as {
    access_token: string;
  };
  const usual = {
    authorization: `Bearer ${access_token}`,
    timestamp: String(NOW),
    'content-type': 'application/json',
  };
  return simulator.answer(postTo('/api/v1/104/sendMessage', JSON.stringify(body), { ...usual, ...headers }));
}

const codeOf = ({ body }: SimulatorAnswer): number => (JSON.parse(body) as { code: number }).code;

const notice = { title: 'T', body: 'B', clickAction: { type: 3 } };
const message = { android: { notification: notice }, token: ['r1'] };
const withAndroid = (fields: object): unknown => ({ ...message, android: { ...message.android, ...fields } });
const withNotice = (fields: object): unknown => withAndroid({ notification: { ...notice, ...fields } });

test('a message as the vendor wants it is taken', () => {
  expect(codeOf(send(message))).toBe(200);
  expect(codeOf(send({ data: 'anything', token: ['r1'] }))).toBe(200);
});

test.each<[string, unknown, number]>([
  ['a wrapped message', { message, token: ['r1'] }, 80100003],
  ['no target', { ...message, token: undefined }, 80100001],
  ['no tokens', { ...message, token: [] }, 80300010],
  ['no tap', withNotice({ clickAction: undefined }), 80100003],
  ['no title', withNotice({ title: '' }), 80100003],
  ['data that is no JSON', { ...message, data: 'text' }, 80100003],
  ['neither data nor notification', { token: ['r1'], android: {} }, 80100003],
  ['a life over 15 days', withAndroid({ ttl: '1296001s' }), 80100004],
  ['an unknown importance', withNotice({ importance: 'HIGH' }), 80100001],
  ['a wrong badge', withNotice({ badge: { setNum: 100 } }), 80100001],
])('%s is refused', (_, body, code) => {
  const answer = send(body);
  expect(codeOf(answer)).toBe(code);
  expect(answer.sent).toBeUndefined();
});

test.each<[string, SimulatorRequest['headers'], [number, number]]>([
  ['no timestamp', { timestamp: undefined }, [200, 80100001]],
  ['a timestamp in seconds', { timestamp: String(NOW / 1000) }, [200, 80100001]],
  ['an old timestamp', { timestamp: String(NOW - 600_000) }, [200, 80100001]],
  ['no Bearer', { authorization: 'honor.1' }, [401, 80200001]],
  ['an unknown token', { authorization: 'Bearer honor.9' }, [401, 80200001]],
])('%s is refused', (_, headers, refusal) => {
  const answer = send(message, headers);
  expect([answer.status, codeOf(answer)]).toEqual(refusal);
});

test('dead registrations come back as expired', () => {
  const { body, sent } = send({ ...message, token: ['r1', 'gone-1', 'bad-1'] });
  expect(JSON.parse(body)).toMatchObject({ data: { sendResult: true, expireTokens: ['gone-1', 'bad-1'] } });
  expect(sent?.registrationIds).toEqual(['r1']);
});

test.each(['grant_type=password', 'grant_type=client_credentials&client_id=c&client_secret=other'])(
  'no token is issued for %j',
  (form) => {
    const answer = makeSimulator({ now: () => NOW }).answer(postTo('/auth/token', form, FORM));
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.body).not.toContain('access_token');
  },
);

test('tokens are granted to forms alone', () => {
  const simulator = makeSimulator({ now: () => 1_700_000_000_000 });
  for (const type of [undefined, 'text/plain;charset=UTF-8', 'application/json']) {
    const answer = simulator.answer(postTo('/auth/token', TOKEN_FORM, { 'content-type': type }));
    expect([answer.status, answer.body.includes('access_token')]).toEqual([400, false]);
  }
});

test.each(['GET', 'PUT'])('%s is no way to ask for a token or to send', (method) => {
  const simulator = makeSimulator({ now: () => 1_700_000_000_000 });
  for (const path of ['/auth/token', '/api/v1/104/sendMessage']) {
    const answer = simulator.answer({ ...postTo(path, TOKEN_FORM, FORM), method });
    expect([answer.status, answer.headers]).toEqual([405, { allow: 'POST' }]);
    expect(answer.sent).toBeUndefined();
  }
});
