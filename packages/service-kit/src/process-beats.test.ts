import { until } from '@pushfleet/testing';
import { startBeats, type ProcessFacts } from './process-beats';

const facts = { role: 'channel-worker', labels: { channel: 'hms' } };
/** Nothing changes. */
const settings = { take: () => Promise.resolve(false) };

test('a process tells at once who it is, and at the end that it leaves', async () => {
  const heard: ProcessFacts[] = [];
  const left: string[] = [];
  const board = {
    beat: (told: ProcessFacts) => Promise.resolve(void heard.push(told)),
    leave: (id: string) => Promise.resolve(void left.push(id)),
  };
  const before = Date.now();
  const log = { warn: () => undefined };
  const beats = startBeats({ processes: board, settings }, { ...facts, log, proxyHops: 1 });
  expect(heard).toEqual([
    {
      ...facts,
      proxyHops: 1,
      id: expect.stringContaining(`-${process.pid}-`),
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      since: expect.any(Number),
    },
  ]);
  expect(heard[0]?.since).toBeGreaterThanOrEqual(before);
  await beats.stop();
  expect(left).toEqual([heard[0]?.id]);
});

test('two starts of one program are two processes', async () => {
  const ids = new Set<string>();
  const board = { beat: ({ id }: ProcessFacts) => Promise.resolve(void ids.add(id)), leave: () => Promise.resolve() };
  const both = [0, 1].map(() =>
    startBeats({ processes: board, settings }, { ...facts, log: { warn: () => undefined } }),
  );
  await Promise.all(both.map((beats) => beats.stop()));
  expect(ids.size).toBe(2);
});

test('a process that is not heard says so once, and stops all the same', async () => {
  const warned: unknown[] = [];
  const away = () => Promise.reject(new Error('Redis is away'));
  const log = { warn: (...words: unknown[]) => void warned.push(words) };
  await startBeats({ processes: { beat: away, leave: away }, settings }, { ...facts, log }).stop();
  expect(warned).toEqual([[{ err: new Error('Redis is away') }, 'the fleet does not hear of this process']]);
});

test('a process tells at once that it took over a change of the settings', async () => {
  const events: string[] = [];
  const board = { beat: () => Promise.resolve(void events.push('beat')), leave: () => Promise.resolve() };
  const take = (): Promise<boolean> => {
    const looks = events.push('look');
    return Promise.resolve(looks === 3);
  };
  const beats = startBeats({ processes: board, settings: { take } }, { ...facts, log: { warn: () => undefined } });
  await until(() => events.length > 4);
  await beats.stop();
  expect(events.slice(0, 5)).toEqual(['beat', 'look', 'look', 'beat', 'look']);
});
