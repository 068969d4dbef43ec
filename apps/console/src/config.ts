import { channels } from '@pushfleet/channels';
import {
  adminConfig,
  envPort,
  envUrl,
  loadConfig,
  logConfig,
  originConfig,
  originsIn,
  redisConfig,
  secretConfig,
  type Environment,
} from '@pushfleet/service-kit';
import { z } from 'zod';

const vendors = Object.values(channels);

const ownConfig = {
  ...logConfig,
  ...adminConfig,
  ...redisConfig,
  ...secretConfig,
  CONSOLE_PORT: envPort().default(8083).describe('Port of the admin API.'),
  ADMIN_TOKEN: z.string().trim().min(1).meta({ description: 'What a caller of the admin API presents.', secret: true }),
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
