import { postTo } from '@pushfleet/channel-kit/testing';
import { makeSimulator } from './simulator';

const { answer } = makeSimulator({ now: () => 1_700_000_000_000 });
const form = 'grant_type=client_credentials&client_id=10001&client_secret=sim-secret';
const { access_token: token } = JSON.parse(answer(postTo('/__name__/token', form)).body) as { access_token: string };

const codeOf = (body: object): unknown => {
  const headers = { authorization: `Bearer ${token}` };
  const { code } = JSON.parse(answer(postTo('/__name__/v1/messages', JSON.stringify(body), headers)).body) as {
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
