import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { lastingTimeout } from './lasting-timeout';

test('ends what waits for it through another signal, however often memory is collected meanwhile', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const collecting = setInterval(collect, 5);
  const { signal } = new AbortController();
  const reason = await new Promise((resolve) => {
    const either = AbortSignal.any([signal, lastingTimeout(100)]);
    either.addEventListener('abort', () => resolve((either.reason as Error).name), { once: true });
    setTimeout(resolve, 5000, 'never').unref();
  });
  clearInterval(collecting);
  expect(reason).toBe('TimeoutError');
});
