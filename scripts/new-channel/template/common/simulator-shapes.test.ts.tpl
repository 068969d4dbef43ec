import { batchFor, openSessionRig, postTo } from '@pushfleet/channel-kit/testing';
import { SEND_PATH } from './endpoints';
import { __name__ } from './index';
import { makeSimulator, SIMULATOR_PROFILE } from './simulator';

const now = (): number => 1_700_000_000_000;
const simulator = makeSimulator({ now });

/** Of a call that the channel itself makes, with a token in them. */
let headers: Readonly<Record<string, string | undefined>>;

beforeAll(async () => {
  const rig = openSessionRig(__name__, { makeSimulator: () => simulator, profile: SIMULATOR_PROFILE, now });
  await rig.session.send(batchFor('__name__', { data: { alert: 'A' } }), new AbortController().signal);
  headers = rig.http.requests.at(-1)?.headers ?? {};
});

const codeOf = (body: object): unknown => {
  const { code } = JSON.parse(simulator.answer(postTo(SEND_PATH, JSON.stringify(body), headers)).body) as {
    code: number;
  };
  return code;
};

const notification = { title: 'T', body: 'B' };
const whole = { tokens: ['r1'], ttl: 60, notification };

/** One row for each shape that is taken or refused, with its source. */
test.each<[string, object, number]>([
  ['a notification', whole, 0],
  ['a message for the app', { tokens: ['r1'], ttl: 60, data: {} }, 0],
  ['nobody to send to', { ...whole, tokens: [] }, 2001],
  ['more tokens than a call takes', { ...whole, tokens: Array.from({ length: 501 }, (_, i) => `r${i}`) }, 2001],
  ['a life that is too long', { ...whole, ttl: 8 * 86_400 }, 2001],
  ['a title that is too long', { ...whole, notification: { title: 'x'.repeat(101), body: 'B' } }, 2001],
  ['a notification without a text', { ...whole, notification: { title: 'T' } }, 2001],
])('%s', (_, body, code) => {
  expect(codeOf(body)).toBe(code);
});
