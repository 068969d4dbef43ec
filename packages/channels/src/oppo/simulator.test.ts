import { formTo, SIMULATOR_SECRET } from '@pushfleet/channel-kit/testing';
import { AUTH_PATH, BROADCAST_PATH, SAVE_PATH, UNICAST_PATH } from './endpoints';
import { makeSimulator } from './simulator';
import { signOf } from './token';

const START = 1_700_000_000_000;
const DAY_MS = 86_400_000;
const MESSAGE = { title: 'Title', content: 'Body' };

interface Answer {
  readonly code: number;
  readonly data?: Record<string, unknown>;
}

function openVendor() {
  let time = START;
  const simulator = makeSimulator({ now: () => time });
  const ask = (path: string, form: Record<string, string>): Answer =>
    JSON.parse(simulator.answer(formTo(path, form)).body) as Answer;
  const auth = (change: Record<string, string> = {}): Answer => {
    const sign = signOf({ appKey: 'any', timestamp: time, masterSecret: SIMULATOR_SECRET });
    return ask(AUTH_PATH, { app_key: 'any', timestamp: String(time), sign, ...change });
  };
  const token = (): string => String(auth().data?.['auth_token']);
  const unicast = (authToken: string, notification: object): Answer =>
    ask(UNICAST_PATH, {
      auth_token: authToken,
      message: JSON.stringify({ target_type: 2, target_value: 'a', notification }),
    });
  return { ask, auth, token, unicast, pass: (ms: number) => (time += ms) };
}

it('a token is the same for 24 hours and works ten minutes longer', () => {
  const { token, unicast, pass } = openVendor();
  const first = token();
  pass(DAY_MS - 1);
  expect(token()).toBe(first);
  pass(1);
  const second = token();
  expect(second).not.toBe(first);
  expect(unicast(first, MESSAGE).code).toBe(0);
  pass(10 * 60_000 + 1);
  expect(unicast(first, MESSAGE).code).toBe(11);
  expect(unicast(second, MESSAGE).code).toBe(0);
});

it.each([
  [{ sign: 'x' }, 16],
  [{ sign: '' }, 17],
  [{ app_key: '' }, 15],
  [{ timestamp: '' }, 18],
  [{ timestamp: String(START - 11 * 60_000) }, 19],
])('an auth request with %j is refused with code %d', (change, code) => {
  expect(openVendor().auth(change).code).toBe(code);
});

it.each([
  [{ content: 'Body' }, 40],
  [{ ...MESSAGE, title: 'x'.repeat(51) }, 41],
  [{ ...MESSAGE, content: 'x'.repeat(51) }, 41],
  [{ ...MESSAGE, style: 2, content: 'x'.repeat(128) }, 0],
  [{ ...MESSAGE, clickActionType: 1 }, 0],
  [{ ...MESSAGE, click_action_type: 3 }, 41],
  [{ ...MESSAGE, click_action_type: 5 }, 40],
  [{ ...MESSAGE, action_parameters: { a: 1 } }, 41],
  [{ ...MESSAGE, off_line_ttl: 60 }, 0],
  [{ ...MESSAGE, off_line_ttl: -1 }, 41],
  [{ ...MESSAGE, category: 'WEATHER' }, 67],
  [{ ...MESSAGE, notify_level: 2 }, 67],
  [{ ...MESSAGE, call_back_url: `https://${'x'.repeat(200)}` }, 41],
  [{ ...MESSAGE, small_picture_id: 'p' }, 27],
])('the notification %j is answered with code %d', (notification, code) => {
  const { token, unicast } = openVendor();
  expect(unicast(token(), notification).code).toBe(code);
});

it('a broadcast needs a saved message and at most 1000 targets', () => {
  const { ask, token } = openVendor();
  const auth_token = token();
  const send = (message_id: string, count: number): Answer =>
    ask(BROADCAST_PATH, {
      auth_token,
      message_id,
      target_type: '2',
      target_value: Array.from({ length: count }, (_, i) => `r${i}`).join(';'),
    });
  const saved = ask(SAVE_PATH, { auth_token, ...MESSAGE, off_line: 'true', off_line_ttl: '3600' });
  const id = String(saved.data?.['message_id']);
  expect(send('unknown', 2).code).toBe(31);
  expect(send(id, 1001).code).toBe(41);
  expect(send(id, 1000).code).toBe(0);
});

it('only forms with a token are understood', () => {
  const { token, unicast } = openVendor();
  expect(unicast('', MESSAGE).code).toBe(29);
  expect(unicast(token(), MESSAGE).code).toBe(0);
  const simulator = makeSimulator({ now: () => START });
  const request = { method: 'POST', path: UNICAST_PATH, query: new URLSearchParams(), headers: {}, body: '{}' };
  expect(JSON.parse(simulator.answer(request).body)).toMatchObject({ code: 12 });
});
