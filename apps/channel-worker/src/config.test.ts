import { isConfigError } from '@pushfleet/service-kit';
import { loadConfig } from './config';

const REQUIRED = {
  REDIS_URL: 'redis://127.0.0.1:6379',
  SECRET_KEY: Buffer.alloc(32).toString('base64'),
  CHANNEL: 'hms',
};

const linesOf = (env: Readonly<Record<string, string>>): readonly string[] => {
  try {
    loadConfig({ ...REQUIRED, ...env });
  } catch (error) {
    if (isConfigError(error)) return error.lines;
    throw error;
  }
  return [];
};

const PERIODS = ['DIRECT_LOCK_MS', 'BULK_LOCK_MS', 'VENDOR_TIMEOUT_MS', 'VENDOR_CAMPAIGN_TIMEOUT_MS'];

test.each(PERIODS)('%s: 0, and what was meant as seconds, is refused by its name', (name) => {
  const line = `${name}: must be a duration such as 500ms, 20s, 5m, 2h or 7d, at least 1000 ms`;
  expect([linesOf({ [name]: '0' }), linesOf({ [name]: '10' })]).toEqual([[line], [line]]);
  expect(linesOf({ [name]: '1s' })).toEqual([]);
});
