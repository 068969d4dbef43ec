import { getEventListeners } from 'node:events';
import { openApi } from './api';
import { UsageError } from './errors';
import { json, withConsole, type Answer } from './testing/fake-console';

const api = openApi({ url: 'http://127.0.0.1:1', token: 'token' });

it.each(['.', '..', ''])('asks for no path with %j in it', async (segment) => {
  const asked = api.request('DELETE', ['apps', 'a', 'indexes', segment]);
  await expect(asked).rejects.toThrow(UsageError);
  await expect(asked).rejects.toThrow(`${JSON.stringify(segment)} is no name and no id, in apps/a/indexes/${segment}`);
});

it('ends a request with its signal, and leaves nothing at a signal that lives on', async () => {
  const ending = new AbortController();
  const { signal } = ending;
  const silent: Answer = () => ending.abort();
  await withConsole([json(200, { ok: true }), silent], async (url) => {
    const { request } = openApi({ url, token: 'token' });
    expect(await request('GET', ['apps'], { signal })).toEqual({ ok: true });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    await expect(request('GET', ['apps'], { signal })).rejects.toThrow('cannot reach');
    await expect(request('GET', ['apps'], { signal })).rejects.toThrow('cannot reach');
  });
});

it('waits no longer than three quarters of a minute for an answer', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  try {
    const silent: Answer = () => jest.advanceTimersByTime(45_000);
    await withConsole([silent], (url) =>
      expect(openApi({ url, token: 'token' }).request('GET', ['apps'])).rejects.toMatchObject({
        message: expect.stringContaining('no answer within 45 s'),
        retryAfterMs: 1000,
      }),
    );
  } finally {
    jest.useRealTimers();
  }
});

it('asks again after a 429 that says when, and after no other', async () => {
  const refused = (headers: Record<string, string>) => json(429, { code: 429, error: 'too many' }, headers);
  await withConsole([refused({ 'Retry-After': '2' }), refused({})], async (url) => {
    const { request } = openApi({ url, token: 'token' });
    await expect(request('GET', ['apps'])).rejects.toMatchObject({ status: 429, retryAfterMs: 2000 });
    await expect(request('GET', ['apps'])).rejects.toMatchObject({ status: 429, retryAfterMs: undefined });
  });
});
