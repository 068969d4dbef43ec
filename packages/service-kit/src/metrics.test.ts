import { openMetrics } from './metrics';

const jobs = { name: 'pushfleet_jobs_total', help: 'Jobs done.', labelNames: ['queue'] as const };
const linesOf = (text: string, name: string): readonly string[] =>
  text.split('\n').filter((line) => line.replace(/^# (HELP|TYPE) /, '').startsWith(name));

test('services of one process keep their label, and what they have in common is told once', async () => {
  const metrics = openMetrics('fleet');
  metrics.ofService('ingress').counter(jobs).inc({ queue: 'a' });
  metrics.ofService('dispatcher').counter(jobs).inc({ queue: 'b' }, 2);
  expect(linesOf(await metrics.text(), jobs.name)).toEqual([
    '# HELP pushfleet_jobs_total Jobs done.',
    '# TYPE pushfleet_jobs_total counter',
    'pushfleet_jobs_total{queue="a",service="ingress"} 1',
    'pushfleet_jobs_total{queue="b",service="dispatcher"} 2',
  ]);
});

test('two of one service count together, so that no series stands there twice', async () => {
  const metrics = openMetrics('fleet');
  for (const queue of ['a', 'a', 'b']) metrics.ofService('channel-worker').counter(jobs).inc({ queue });
  expect(linesOf(await metrics.text(), `${jobs.name}{`)).toEqual([
    'pushfleet_jobs_total{queue="a",service="channel-worker"} 2',
    'pushfleet_jobs_total{queue="b",service="channel-worker"} 1',
  ]);
});

test('what the runtime tells is told once, and of every service that it is there', async () => {
  const metrics = openMetrics('fleet');
  metrics.ofService('ingress');
  metrics.ofService('ingress');
  const text = await metrics.text();
  expect(linesOf(text, 'pushfleet_process_resident_memory_bytes{')).toHaveLength(1);
  const started = linesOf(text, 'pushfleet_process_start_time_seconds').map((line) => line.replace(/\} \d+$/, '}'));
  expect(started).toEqual([
    '# HELP pushfleet_process_start_time_seconds Start time of the process since unix epoch in seconds.',
    '# TYPE pushfleet_process_start_time_seconds gauge',
    'pushfleet_process_start_time_seconds{service="fleet"}',
    'pushfleet_process_start_time_seconds{service="ingress"}',
  ]);
});

test('a process of one service does not open a metric twice', () => {
  const metrics = openMetrics('ingress');
  metrics.counter(jobs);
  expect(() => metrics.counter(jobs)).toThrow('already been registered');
});
