import { channels } from '@pushfleet/channels';
import {
  adminConfig,
  envOrigin,
  envPort,
  envUrl,
  loadConfig,
  logConfig,
  redisConfig,
  secretConfig,
  type Environment,
} from '@pushfleet/service-kit';
import { z } from 'zod';

const vendorOrigins = Object.fromEntries(
  Object.values(channels).flatMap(({ name, endpoints }) =>
    Object.entries(endpoints).map(([variable, origin]) => [
      variable,
      envOrigin().default(origin).describe(`Origin of the ${name} vendor's API, without path.`),
    ]),
  ),
);

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

export const configSchema = z.object({ ...vendorOrigins, ...ownConfig });

export type ConsoleConfig = z.output<z.ZodObject<typeof ownConfig>> & {
  /** By the name of its variable. */
  readonly origins: Readonly<Record<string, string>>;
};

export function loadConsoleConfig(env: Environment = process.env): ConsoleConfig {
  const config = loadConfig(configSchema, env);
  const origins = Object.keys(vendorOrigins).map((variable) => [
    variable,
    String(config[variable as keyof typeof config]),
  ]);
  return { ...config, origins: Object.fromEntries(origins) };
}
