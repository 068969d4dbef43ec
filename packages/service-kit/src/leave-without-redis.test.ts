import { leaveWithoutRedis } from './leave-without-redis';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** The reason to hurry of a process that was told to leave a minute ago, if there was one. */
async function hurriedBy(ping: () => Promise<unknown>): Promise<string | undefined> {
  let reason: string | undefined;
  let isOver = false;
  const redis = { ping, giveUp: () => void (isOver = true), isOver: () => isOver };
  const hurry = (told: string): void => void (reason = told);
  leaveWithoutRedis(redis, { onStopping: (begin) => void begin(), hurry });
  await jest.advanceTimersByTimeAsync(60_000);
  return reason;
}

const failing = (name: string, message: string) => () => Promise.reject(Object.assign(new Error(message), { name }));

it.each([
  ['answers', () => Promise.resolve('PONG')],
  ['loads', failing('ReplyError', 'LOADING Redis is loading the dataset in memory')],
  ['is busy', failing('ReplyError', 'BUSY Redis is busy running a script.')],
])('nobody hurries while Redis %s', async (_, ping) => {
  expect(await hurriedBy(ping)).toBeUndefined();
});

it.each([
  ['is silent', () => new Promise(() => undefined)],
  ['cannot be reached', failing('Error', 'connect ECONNREFUSED')],
])('a process leaves without a Redis that %s', async (_, ping) => {
  expect(await hurriedBy(ping)).toBe('Redis does not answer');
});
