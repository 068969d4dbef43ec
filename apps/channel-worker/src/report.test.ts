import { createLogger, describeConfig, openMetrics } from '@pushfleet/service-kit';
import { configSchema } from './config';
import { workerMetrics } from './metrics';
import { reporters } from './report';

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
