import { channelNames, channels } from '@pushfleet/channels';
import { DAY_MS, LARGEST_MAILBOX, OWN_CHANNEL } from '@pushfleet/domain';
import {
  envPeriod,
  envInteger,
  envUrl,
  loadConfig as load,
  originConfig,
  originsIn,
  processConfig,
  secretConfig,
} from '@pushfleet/service-kit';
import { z } from 'zod';

const vendors = Object.values(channels);

/** Less is 0 or was meant as seconds: no lock would last, and no vendor answer in time. */
const LEAST = { min: 1000 };

export const configSchema = z.object({
  ...processConfig,
  ...secretConfig,
  CHANNEL: z
    .enum([...channelNames, OWN_CHANNEL])
    .describe(`The one channel that this process serves: ${[...channelNames, OWN_CHANNEL].join(', ')}.`),
  INGRESS_PUBLIC_URL: envUrl().optional().describe('Address at which vendors reach the ingress with their receipts.'),
  SEND_CONCURRENCY: envInteger({ min: 1, max: 1000 })
    .default(128)
    .describe(
      'Most vendor calls of campaigns that one profile has in flight, however slow its vendor; all profiles together have at most twice as many.',
    ),
  DIRECT_CONCURRENCY: envInteger({ min: 1, max: 1000 }).default(512).describe('The same for addressed pushes.'),
  LANE_CONCURRENCY: envInteger({ min: 1, max: 64 })
    .default(8)
    .describe('Lanes of one profile that are walked at once.'),
  MAX_BATCH: envInteger({ min: 1, max: 1000 })
    .optional()
    .describe('Devices in a vendor call, where that shall be fewer than the vendor takes: for measurements.'),
  SLICE_DEVICES: envInteger({ min: 1000, max: 1_000_000 })
    .default(20_000)
    .describe('Devices a lane looks at, matching or not, before it makes room for others.'),
  DIRECT_LOCK_MS: envPeriod(
    5000,
    'How long a worker that hangs keeps its addressed pushes before others take them over; from one that is gone they do so within 3 s.',
    LEAST,
  ),
  BULK_LOCK_MS: envPeriod(15_000, 'The same for lanes.', LEAST),
  VENDOR_TIMEOUT_MS: envPeriod(
    10_000,
    'Deadline of a vendor call for an addressed push: connection, token, headers and body of the answer.',
    LEAST,
  ),
  VENDOR_CAMPAIGN_TIMEOUT_MS: envPeriod(
    30_000,
    'The same for a campaign. Less than 30 s books devices as `unknown-outcome` that a slow vendor has taken.',
    LEAST,
  ),
  MAILBOX_MESSAGES: envInteger({ min: 1, max: LARGEST_MAILBOX })
    .default(50)
    .describe('Messages of the own channel that wait for one device; the oldest make room for the newest.'),
  MAILBOX_LIFE_MS: envPeriod(7 * DAY_MS, 'How long a message of the own channel waits for its device at most.', {
    min: 1000,
  }),
  // The names of these variables are known at run time only; `loadConfig` hands them on as `origins`.
  ...(originConfig(vendors) as object),
});

export type Config = z.infer<typeof configSchema> & { readonly origins: Readonly<Record<string, string>> };

export function loadConfig(env = process.env): Config {
  const config = load(configSchema, env);
  return { ...config, origins: originsIn(config, vendors) };
}

/** What the own channel may keep for a device. */
export const ownLimits = ({ MAILBOX_MESSAGES, MAILBOX_LIFE_MS }: Config) => ({
  mailboxMessages: MAILBOX_MESSAGES,
  mailboxLifeMs: MAILBOX_LIFE_MS,
});
