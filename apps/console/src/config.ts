import { DAY_MS } from '@pushfleet/domain';
import { channels } from '@pushfleet/channels';
import {
  adminConfig,
  ceilingConfig,
  edgeConfig,
  envDurationMs,
  envPort,
  envUrl,
  loadConfig,
  logConfig,
  originConfig,
  originsIn,
  proxyConfig,
  redisConfig,
  secretConfig,
  tracingConfig,
  type Environment,
} from '@pushfleet/service-kit';
import { z } from 'zod';

const vendors = Object.values(channels);

/** Longer than what is guessed before somebody sees the guesses in the log. */
const MIN_ADMIN_TOKEN = 8;

const ownConfig = {
  ...logConfig,
  ...adminConfig,
  ...edgeConfig,
  ...redisConfig,
  ...ceilingConfig,
  ...secretConfig,
  ...tracingConfig,
  CONSOLE_PORT: envPort().default(8083).describe('Port of the admin API.'),
  ADMIN_TOKEN: z
    .string()
    .trim()
    .min(MIN_ADMIN_TOKEN, `must have at least ${MIN_ADMIN_TOKEN} characters: openssl rand -hex 24`)
    .meta({ description: 'What a caller of the admin API presents.', secret: true }),
  ...proxyConfig,
  // LeanCloud push guide: targets were seen within three months.
  INSTALLATION_STALE_AFTER_MS: envDurationMs({ min: DAY_MS })
    .default(90 * DAY_MS)
    .describe('Installations that were not updated for so long are no targets any more, until they save again.'),
  INGRESS_PUBLIC_URL: envUrl()
    .optional()
    .describe('Where vendors reach the ingress: the first part of every receipt address.'),
};

export const configSchema = z.object({ ...originConfig(vendors), ...ownConfig });

export type ConsoleConfig = z.output<z.ZodObject<typeof ownConfig>> & {
  /** By the name of its variable. */
  readonly origins: Readonly<Record<string, string>>;
};

export function loadConsoleConfig(env: Environment = process.env): ConsoleConfig {
  const config = loadConfig(configSchema, env);
  return { ...config, origins: originsIn(config, vendors) };
}
