import { z } from 'zod';
import { UsageError } from './errors';
import type { Io } from './io';

export interface CliConfig {
  /** Without trailing slash. */
  readonly url: string;
  readonly token: string;
}

export const configSchema = z.object({
  PUSHFLEET_URL: z
    .url({ protocol: /^https?$/, error: 'must be a URL that begins with http:// or https://' })
    .default('http://127.0.0.1:8083')
    .transform((url) => url.replace(/\/+$/, ''))
    .describe('Address of the console.'),
  ADMIN_TOKEN: z
    .string({ error: 'is required: the token that the console was started with' })
    .regex(/^[!-~](?:[ -~]*[!-~])?$/, 'may hold visible ASCII characters only')
    .meta({ description: 'The token that the console was started with.', secret: true }),
});

export function readConfig(env: Io['env']): CliConfig {
  const present = Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== '');
  const parsed = configSchema.safeParse(Object.fromEntries(present.map(([name, value]) => [name, value?.trim()])));
  if (parsed.success) return { url: parsed.data.PUSHFLEET_URL, token: parsed.data.ADMIN_TOKEN };
  throw new UsageError(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'));
}

export const processEnv = (): Io['env'] => process.env;
