import { isConfigError, withSecretFiles } from '@pushfleet/service-kit/secret-files';
import { z } from 'zod';
import { UsageError } from './errors';
import type { Io } from './io';

export interface CliConfig {
  /** Without trailing slash. */
  readonly url: string;
  readonly token: string;
}

const httpAddress = (usual: string) =>
  z
    .url({ protocol: /^https?$/, error: 'must be a URL that begins with http:// or https://' })
    .default(usual)
    .transform((url) => url.replace(/\/+$/, ''));

/** What devices and senders need instead of the console's address and token. */
const appFields = {
  PUSHFLEET_INGRESS_URL: httpAddress('http://127.0.0.1:8080').describe(
    'Address of the 1.1 API, for `devices` and for what senders do to pushes.',
  ),
  PUSHFLEET_GATEWAY_URL: z
    .url({ protocol: /^wss?$/, error: 'must be a URL that begins with ws:// or wss://' })
    .optional()
    .describe(
      'Gateway that `devices` connects to, where the addresses that the fleet names are not reached from here.',
    ),
  PUSHFLEET_APP_ID: z.string().optional().describe('App of senders, and of the devices of `devices`.'),
  PUSHFLEET_MASTER_KEY: z
    .string()
    .optional()
    .meta({ description: 'Master key of that app, for senders.', secret: true }),
  PUSHFLEET_APP_KEY: z.string().optional().meta({ description: 'Key of that app.', secret: true }),
};

const appSchema = z.object(appFields);

export const configSchema = z.object({
  ...appFields,
  PUSHFLEET_URL: httpAddress('http://127.0.0.1:8083').describe('Address of the console.'),
  ADMIN_TOKEN: z
    .string({
      error:
        'is required: the token that the console was started with (that of npm start is in .pushfleet/ADMIN_TOKEN)',
    })
    .regex(/^[!-~](?:[ -~]*[!-~])?$/, 'may hold visible ASCII characters only')
    .meta({ description: 'The token that the console was started with.', secret: true }),
});

export function readConfig(env: Io['env']): CliConfig {
  const { PUSHFLEET_URL: url, ADMIN_TOKEN: token } = read(configSchema, env);
  return { url, token };
}

export interface DeviceConfig {
  /** Without trailing slash. */
  readonly ingressUrl: string;
  readonly gatewayUrl: string | undefined;
  readonly app: { readonly id: string; readonly key: string } | undefined;
}

export function readDeviceConfig(env: Io['env']): DeviceConfig {
  const given = read(appSchema, env);
  const { PUSHFLEET_APP_ID: id, PUSHFLEET_APP_KEY: key } = given;
  const app = id === undefined || key === undefined ? undefined : { id, key };
  return { ingressUrl: given.PUSHFLEET_INGRESS_URL, gatewayUrl: given.PUSHFLEET_GATEWAY_URL, app };
}

export interface SenderConfig {
  /** Without trailing slash. */
  readonly ingressUrl: string;
  readonly id: string;
  readonly masterKey: string;
}

export const readSenderConfig = (env: Io['env']): Partial<SenderConfig> & Pick<SenderConfig, 'ingressUrl'> => {
  const {
    PUSHFLEET_INGRESS_URL: ingressUrl,
    PUSHFLEET_APP_ID: id,
    PUSHFLEET_MASTER_KEY: masterKey,
  } = read(appSchema, env);
  return { ingressUrl, ...(id === undefined ? {} : { id }), ...(masterKey === undefined ? {} : { masterKey }) };
};

function read<Schema extends z.ZodObject>(schema: Schema, env: Io['env']): z.output<Schema> {
  const present = Object.entries(withFiles(schema, env)).flatMap(([name, text = '']) =>
    text.trim() === '' ? [] : [[name, text.trim()] as const],
  );
  const parsed = schema.safeParse(Object.fromEntries(present));
  if (parsed.success) return parsed.data;
  throw new UsageError(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'));
}

function withFiles(schema: z.ZodObject, env: Io['env']): Io['env'] {
  try {
    return withSecretFiles(schema, env);
  } catch (error) {
    if (isConfigError(error)) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

export const processEnv = (): Io['env'] => process.env;
