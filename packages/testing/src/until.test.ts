import { until } from './until';

it('gives what the condition gave, once it is truthy', async () => {
  let calls = 0;
  expect(await until(() => (++calls < 3 ? undefined : `call ${calls}`))).toBe('call 3');
});

it('a condition that throws does not hold yet', async () => {
  let calls = 0;
  const flaky = async (): Promise<string> => {
    if (++calls < 3) throw new Error('not yet');
    return 'now';
  };
  expect(await until(flaky)).toBe('now');
});

it('after the time it tells what it saw last', async () => {
  await expect(until(() => 0, { timeoutMs: 20 })).rejects.toThrow('not within 20 ms; last seen: 0');
  const broken = () => Promise.reject(new Error('out of order'));
  await expect(until(broken, { timeoutMs: 20 })).rejects.toThrow('out of order');
});
