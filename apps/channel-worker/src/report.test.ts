import { createLogger, describeConfig, openMetrics, type Logger } from '@pushfleet/service-kit';
import { configSchema } from './config';
import { workerMetrics } from './metrics';
import { paceReporters, reporters } from './report';

test('the time from acceptance to the first call is told for addressed messages and audiences apart', async () => {
  const metrics = openMetrics('test');
  const log = createLogger({ LOG_LEVEL: 'silent', LOG_TO: 'stderr' }, 'test');
  const { onFirstCall } = reporters('hms', workerMetrics(metrics), log);
  onFirstCall(true, 20);
  onFirstCall(true, -5);
  onFirstCall(false, 45_000);
  const text = await metrics.text();
  const bucket = (kind: string, le: string): string | undefined =>
    text
      .split('\n')
      .find(
        (line) =>
          line.startsWith('pushfleet_channel_accept_to_call_seconds_bucket{') &&
          line.includes(`"${kind}"`) &&
          line.includes(`le="${le}"`),
      )
      ?.split(' ')[1];
  expect([bucket('addressed', '0.01'), bucket('addressed', '0.025')]).toEqual(['1', '2']);
  expect([bucket('audience', '30'), bucket('audience', '120')]).toEqual(['0', '1']);
});

test('how long a call takes is told up to the deadline of a campaign, and not cut to that of an addressed push', async () => {
  const metrics = openMetrics('test');
  workerMetrics(metrics).callSeconds.observe({ channel: 'hms' }, 25);
  const line = /^pushfleet_channel_vendor_call_duration_seconds_bucket\{le="(\d+)".*\} 1$/m.exec(await metrics.text());
  const deadline = describeConfig(configSchema).find(({ name }) => name === 'VENDOR_CAMPAIGN_TIMEOUT_MS')?.default;
  expect(Number(line?.[1]) * 1000).toBe(Number(deadline));
});

test('credentials that cannot be opened are told once a minute, and of no more than a thousand profiles it is kept when', () => {
  const told: string[] = [];
  const log = { error: ({ profile }: { profile: string }) => void told.push(profile) } as unknown as Logger;
  const { onUnreadable } = paceReporters('hms', workerMetrics(openMetrics('test')), log);
  const meet = (profile: string): void => onUnreadable(new Error('sealed'), { app: 'app', profile });
  meet('first');
  meet('first');
  expect(told).toEqual(['first']);
  const setBack = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000);
  meet('first');
  setBack.mockRestore();
  expect(told.splice(1)).toEqual(['first']);
  for (let n = 0; n < 1000; n += 1) meet(`p${n}`);
  meet('first');
  expect(told.filter((profile) => profile === 'first')).toHaveLength(2);
});
