import { configLoader, envPeriod, envInteger, installationAges, processConfig } from '@pushfleet/service-kit';
import { z } from 'zod';

export const configSchema = z.object({
  ...processConfig,
  DISPATCH_CONCURRENCY: envInteger({ min: 1, max: 256 }).default(8).describe('Envelopes of pushes dispatched at once.'),
  REDRIVE_INTERVAL_MS: envPeriod(5000, 'How often open pushes are looked through for lost jobs.', { min: 100 }),
  REDRIVE_AFTER_MS: envPeriod(15_000, 'How long an open push is left alone before its jobs are added again.', {
    min: 1000,
  }),
  WATCH_INTERVAL_MS: envPeriod(
    10_000,
    'How often one dispatcher of all measures queues, open pushes and Redis for the metrics.',
    { min: 500 },
  ),
  PUSH_RECORDS_MAX_BYTES: envInteger({ min: 0, max: Number.MAX_SAFE_INTEGER })
    .optional()
    .describe(
      'Memory of Redis for the records of pushes that are done, of all apps; beyond it those of apps that hold more than an equal share go early. Unset: a quarter of the maxmemory of all masters.',
    ),
  OWN_CHANNEL_TEXTS_MAX_BYTES: envInteger({ min: 0, max: Number.MAX_SAFE_INTEGER })
    .optional()
    .describe(
      'Memory of Redis for what waits on the own channel, of all apps; beyond it messages of apps that hold more than an equal share lapse early. Unset: a tenth of the maxmemory of all masters.',
    ),
  APP_OPEN_PUSHES_BYTES: envInteger({ min: 0, max: Number.MAX_SAFE_INTEGER })
    .optional()
    .describe(
      'Memory of Redis for the pushes of one app that are not done; beyond it the app gets no new ones while a master is 70 % full, unless it is the only app. 0 = no ceiling. Unset: a tenth of the maxmemory of one master.',
    ),
  ...installationAges,
});

export type Config = z.infer<typeof configSchema>;

export const loadConfig = configLoader(configSchema, process.env);
