import { isConfigError } from '@pushfleet/service-kit';
import { loadConfig } from './config';

const REQUIRED = { REDIS_URL: 'redis://127.0.0.1:6379' };

const linesOf = (env: Readonly<Record<string, string>>): readonly string[] => {
  try {
    loadConfig({ ...REQUIRED, ...env });
  } catch (error) {
    if (isConfigError(error)) return error.lines;
    throw error;
  }
  return [];
};

test.each([
  ['REDRIVE_INTERVAL_MS', 100],
  ['REDRIVE_AFTER_MS', 1000],
] as const)('%s: what would ask Redis without a pause is refused by its name', (name, leastMs) => {
  expect(linesOf({ [name]: '0' })).toEqual([
    `${name}: must be a duration such as 500ms, 20s, 5m, 2h or 7d, at least ${leastMs} ms`,
  ]);
  expect(linesOf({ [name]: String(leastMs) })).toEqual([]);
});
