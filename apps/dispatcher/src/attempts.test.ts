import { openMetrics } from '@pushfleet/service-kit';
import { openAttempts } from './attempts';
import { dispatcherMetrics } from './metrics';

function attempting() {
  const registry = openMetrics('test');
  const logged: object[] = [];
  const log = { error: (fields: object) => void logged.push(fields) };
  const attempts = openAttempts({ metrics: dispatcherMetrics(registry), log });
  return { attempt: attempts('sweep'), logged, text: () => registry.text() };
}

const failed = (count: number) => `pushfleet_dispatcher_failed_turns_total{kind="sweep",service="test"} ${count}`;

test('a turn that fails is told and counted, and the next one has its own', async () => {
  const { attempt, logged, text } = attempting();
  expect(await text()).toContain(failed(0));
  const err = new Error('WRONGTYPE');
  expect(await attempt({ app: 'a' }, () => Promise.reject(err))).toBeUndefined();
  expect(await attempt({ app: 'b' }, async () => 7)).toBe(7);
  expect(logged).toEqual([{ err, round: 'sweep', app: 'a' }]);
  expect(await text()).toContain(failed(1));
});

test('that Redis is away ends the round', async () => {
  const { attempt, logged } = attempting();
  const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  await expect(attempt({ app: 'a' }, () => Promise.reject(away))).rejects.toBe(away);
  expect(logged).toEqual([]);
});
