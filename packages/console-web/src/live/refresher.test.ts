import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { ApiError } from '../api/client';
import { askAgainMs, Refresher, topicsShown } from './refresher';

const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
afterEach(() => client.clear());

/** A query of a page that is seen, as the API has answered it time after time. */
async function shows(topic: string, ...answers: readonly (string | number)[]): Promise<void> {
  const [queryKey, meta] = [[topic], { topic }];
  for (const answer of answers) {
    const refused = () => Promise.reject(new ApiError(Number(answer), 'no', { code: undefined, details: [] }));
    const queryFn = typeof answer === 'string' ? () => Promise.resolve(answer) : refused;
    await client.fetchQuery({ queryKey, queryFn, meta }).catch(() => undefined);
  }
  const later = { refetchOnMount: false, retryOnMount: false, queryFn: () => new Promise<string>(() => undefined) };
  new QueryObserver(client, { queryKey, meta, ...later }).subscribe(() => undefined);
}

it('asks for the topics of what is shown', async () => {
  await shows('b', 'an answer');
  await shows('a', 'an answer', 'another');
  expect(topicsShown(client)).toEqual(['a', 'b']);
});

it('asks for no topic that the API may refuse, with all that are asked for with it', async () => {
  await shows('not answered yet');
  await shows('refused', 403);
  await shows('no such thing', 400);
  await shows('not for the caller any more', 'an answer', 403);
  await shows('away for a moment', 'an answer', 503);
  expect(topicsShown(client)).toEqual(['away for a moment']);
});

it('asks seldom by the clock what a stream tells of, but for what failed', () => {
  const answered = { state: { data: 'an answer', error: null } };
  const failed = { state: { data: 'an answer', error: new Error('away') } };
  expect(askAgainMs(answered, { isLive: true, everyMs: 5000 })).toBe(30_000);
  expect(askAgainMs(answered, { isLive: true, everyMs: 60_000 })).toBe(60_000);
  expect(askAgainMs(answered, { isLive: false, everyMs: 5000 })).toBe(5000);
  expect(askAgainMs(failed, { isLive: true, everyMs: 5000 })).toBe(5000);
});

it('asks anew when something changed while an answer was on its way', async () => {
  const answers: ((answer: string) => void)[] = [];
  const queryFn = () => new Promise<string>((resolve) => answers.push(resolve));
  const [queryKey, meta] = [['a'], { topic: 'a' }];
  client.setQueryData(queryKey, 'as it was');
  // Its first observer asks: the answer on its way may be older than the change.
  new QueryObserver(client, { queryKey, meta, queryFn }).subscribe(() => undefined);
  expect(answers).toHaveLength(1);
  new Refresher(client).take({ a: 'another digest' });
  answers[0]?.('as it was');
  await Promise.resolve();
  answers[1]?.('as it is');
  await new Promise((resolve) => setTimeout(resolve));
  expect(client.getQueryData(queryKey)).toBe('as it is');
});
