import { apiConfig, ceilingConfig, configLoader, envPeriod, envPort, envUrl } from '@pushfleet/service-kit';
import { z } from 'zod';

export const configSchema = z.object({
  INGRESS_PORT: envPort().default(8080).describe('Port of the 1.1 API and of the vendors’ callbacks.'),
  INGRESS_PUBLIC_URL: envUrl()
    .optional()
    .describe('Where clients and vendors reach the ingress; makes `Location` absolute.'),
  SIGN_MAX_AGE_MS: envPeriod(
    0,
    'Greatest distance of an X-LC-Sign timestamp from the clock of the server; 0 allows any.',
  ),
  OFFLINE_MESSAGE_RETENTION_MS: envPeriod(
    600_000,
    'How long the record of an offline message of a chat server is kept after its push is done.',
    { min: 1000 },
  ),
  ...ceilingConfig,
  ...apiConfig,
});

export type IngressConfig = z.output<typeof configSchema>;

export const loadConfig = configLoader(configSchema, process.env);
