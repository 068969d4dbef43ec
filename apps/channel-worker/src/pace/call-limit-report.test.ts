import { openMetrics } from '@pushfleet/service-kit';
import type { CallLimitStore } from '@pushfleet/store';
import { fakeClock } from '@pushfleet/testing';
import { workerMetrics } from '../metrics';
import { CallLimitReport } from './call-limit-report';
import { callLimitsFor } from './call-limits';

test('Redis is told every two seconds, also when the clock was set back', async () => {
  const { now, advance } = fakeClock();
  const limits = callLimitsFor({ DIRECT_CONCURRENCY: 8, SEND_CONCURRENCY: 8 });
  limits.bulk.begin('app/mi/p')('answered');
  const told: number[] = [];
  const store: CallLimitStore = { tell: async (_, __, { at }) => void told.push(at), list: async () => [] };
  const metrics = workerMetrics(openMetrics('test'));
  const report = new CallLimitReport({ store, channel: 'mi', worker: 'w', limits, metrics, now });
  const start = now();
  for (const ms of [0, 1000, 1000, -3_600_000, 1000]) {
    advance(ms);
    await report.tell();
  }
  expect(told).toEqual([start, start + 2000, start + 2000 - 3_600_000]);
});
