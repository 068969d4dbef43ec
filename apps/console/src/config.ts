import { isIP } from 'node:net';
import { DAY_MS } from '@pushfleet/domain';
import { channels } from '@pushfleet/channels';
import {
  apiConfig,
  ceilingConfig,
  envBoolean,
  envPeriod,
  installationAges,
  isPrivateAddress,
  envPort,
  envUrl,
  loadConfig,
  originConfig,
  originsIn,
  type Environment,
} from '@pushfleet/service-kit';
import { z } from 'zod';
import { missingOidcSettings, oidcConfig, type OidcConfig } from './people/oidc/settings';
import type { SessionSettings } from './ports';

const vendors = Object.values(channels);

const INGRESS_HERE = 'http://127.0.0.1:8080';

const MINUTE_MS = 60_000;

/** Longer than what is guessed before somebody sees the guesses in the log. */
const MIN_ADMIN_TOKEN = 8;

const ownConfig = {
  ...apiConfig,
  ...ceilingConfig,
  CONSOLE_PORT: envPort().default(8083).describe('Port of the admin API.'),
  ADMIN_TOKEN: z
    .string()
    .trim()
    .min(MIN_ADMIN_TOKEN, `must have at least ${MIN_ADMIN_TOKEN} characters: openssl rand -hex 24`)
    .meta({ description: 'What a caller of the admin API presents.', secret: true }),
  SESSION_IDLE_MS: envPeriod(60 * MINUTE_MS, 'A session of the console ends when so long nothing was done in it.', {
    min: MINUTE_MS,
    max: DAY_MS,
  }),
  SESSION_LIFE_MS: envPeriod(DAY_MS, 'A session of the console ends so long after its sign-in, whatever was done.', {
    min: MINUTE_MS,
    max: 30 * DAY_MS,
  }),
  SIGN_IN_LINKS: envBoolean()
    .default(false)
    .describe(
      'An owner may ask for a link that signs in whoever opens it within ten minutes: for the demo, from this machine only.',
    ),
  ...oidcConfig,
  ...installationAges,
  INGRESS_PUBLIC_URL: envUrl()
    .optional()
    .describe('Where vendors reach the ingress: the first part of every receipt address.'),
  INGRESS_URL: envUrl()
    .optional()
    .describe(
      `Where the console reaches the ingress with the pushes of people; absent: INGRESS_PUBLIC_URL if that is https:// or a private address, because master keys go there, and without that ${INGRESS_HERE}.`,
    ),
};

export const configSchema = z.object({ ...originConfig(vendors), ...ownConfig }).superRefine((config, context) => {
  for (const name of missingOidcSettings(config as OidcConfig))
    context.addIssue({ code: 'custom', path: [name], message: 'is required where people sign in at a provider' });
});

export type ConsoleConfig = z.output<z.ZodObject<typeof ownConfig>> & {
  /** By the name of its variable. */
  readonly origins: Readonly<Record<string, string>>;
};

export const sessionSettings = (config: ConsoleConfig): SessionSettings => ({
  idleMs: config.SESSION_IDLE_MS,
  lifeMs: config.SESSION_LIFE_MS,
  hasLinks: config.SIGN_IN_LINKS,
  secretKeys: [config.SECRET_KEY, ...(config.SECRET_KEY_PREVIOUS === undefined ? [] : [config.SECRET_KEY_PREVIOUS])],
});

/** Where pushes are handed over; undefined where all that is known is a public road without TLS. */
export function ingressUrl({
  INGRESS_URL,
  INGRESS_PUBLIC_URL,
}: Pick<ConsoleConfig, 'INGRESS_URL' | 'INGRESS_PUBLIC_URL'>): string | undefined {
  const fallback = INGRESS_PUBLIC_URL ?? INGRESS_HERE;
  return INGRESS_URL ?? (isGuarded(new URL(fallback)) ? fallback : undefined);
}

function isGuarded({ protocol, hostname }: URL): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  return protocol === 'https:' || hostname === 'localhost' || (isIP(address) > 0 && isPrivateAddress(address));
}

export function loadConsoleConfig(env: Environment = process.env): ConsoleConfig {
  const config = loadConfig(configSchema, env);
  return { ...config, origins: originsIn(config, vendors) };
}
