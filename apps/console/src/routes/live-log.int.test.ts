import { setTimeout as delay } from 'node:timers/promises';
import { createLogger } from '@pushfleet/service-kit';
import { until } from '@pushfleet/testing';
import { ADMIN_TOKEN, consoleHarness } from '../testing/console-harness';
import { openLive } from '../testing/live-reader';

const TICK_MS = 20;
const lines: string[] = [];
const log = createLogger({ LOG_LEVEL: 'warn', LOG_TO: 'stderr' }, 'console', {
  write: (line) => void lines.push(line),
});
const admin = consoleHarness({ ports: { log, live: { tickMs: TICK_MS, heartbeatMs: 15_000 } } });

it('streams that wait, because somebody guesses tokens at their address, fill no log', async () => {
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const readers = await Promise.all(
    Array.from({ length: 5 }, () => openLive(`${admin.url}/api/v1/live?topic=processes`, headers)),
  );
  expect(readers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  for (let n = 0; n < 20; n += 1) await admin.raw('/api/v1/apps', { headers: { authorization: `Bearer wrong-${n}` } });
  const waiting = (): readonly string[] => lines.filter((line) => line.includes('live stream'));
  await until(() => waiting().length > 0);
  await delay(20 * TICK_MS);
  expect(waiting()).toHaveLength(1);
  await Promise.all(readers.map((reader) => reader.leave()));
});
