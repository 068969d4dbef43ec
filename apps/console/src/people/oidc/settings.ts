import { appScopeSchema, LIMITS, plainJsonIn, roleSchema } from '@pushfleet/domain';
import { envOrigin, envText } from '@pushfleet/service-kit';
import { z } from 'zod';

const grantSchema = z.strictObject({
  value: z.string().min(1).max(256),
  role: roleSchema,
  apps: appScopeSchema.default('all'),
});

/** What one value of the role claim gives. */
export type Grant = z.output<typeof grantSchema>;

const EXAMPLE = '[{"value": "push-owners", "role": "owner"}, {"value": "shop", "role": "sender", "apps": ["APP_ID"]}]';

/** The text stays as it is: the provider has to call itself exactly so. */
const issuer = () =>
  envText('must be an https:// address without query, or an http:// address of this machine', (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isPlain = url !== undefined && url.search + url.hash + url.username + url.password === '';
    return isPlain && (url.protocol === 'https:' || isOfThisMachine(url)) ? text : undefined;
  });

export const isOfThisMachine = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);

const grants = () =>
  envText(`must be JSON, such as ${EXAMPLE}`, plainJsonIn).pipe(
    z.array(grantSchema).min(1).max(LIMITS.oidcGrants.value),
  );

/** Sign-in at a provider of OpenID Connect: all of it, or nothing. */
export const oidcConfig = {
  CONSOLE_PUBLIC_URL: envOrigin()
    .optional()
    .describe('Where browsers reach the console: a provider of OpenID Connect sends them back to `/sign-in` there.'),
  CONSOLE_OIDC_ISSUER: issuer()
    .optional()
    .describe('Provider of OpenID Connect that people may sign in at; unset: with passwords only.'),
  CONSOLE_OIDC_CLIENT_ID: z.string().trim().optional().describe('Name of the console at that provider.'),
  CONSOLE_OIDC_CLIENT_SECRET: z
    .string()
    .trim()
    .optional()
    .meta({ description: 'What the console proves itself with at that provider.', secret: true }),
  CONSOLE_OIDC_SCOPES: z
    .string()
    .trim()
    .regex(/^openid( \S+)*$/, 'must be words with spaces between, openid first')
    .default('openid profile email')
    .describe('What the console asks that provider for.'),
  CONSOLE_OIDC_ROLE_CLAIM: z
    .string()
    .trim()
    .default('groups')
    .describe(
      'Claim whose values decide about role and apps; with dots it may lie deeper, as in `realm_access.roles`.',
    ),
  CONSOLE_OIDC_ROLES: grants()
    .optional()
    .describe(
      `What the values of that claim give, the first that fits: \`${EXAMPLE}\`. Without \`apps\`: all of them.`,
    ),
};

export type OidcConfig = z.output<z.ZodObject<typeof oidcConfig>>;

export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: string;
  readonly roleClaim: string;
  readonly grants: readonly Grant[];
  /** Where the provider sends browsers back to. */
  readonly redirectUrl: string;
}

const TOGETHER = [
  'CONSOLE_OIDC_ISSUER',
  'CONSOLE_OIDC_CLIENT_ID',
  'CONSOLE_OIDC_CLIENT_SECRET',
  'CONSOLE_OIDC_ROLES',
  'CONSOLE_PUBLIC_URL',
] as const;

/** What is missing of settings that are worth nothing alone; an address of the console may stand without the others. */
export function missingOidcSettings(config: OidcConfig): readonly string[] {
  const isWanted = TOGETHER.some((name) => name !== 'CONSOLE_PUBLIC_URL' && config[name] !== undefined);
  return isWanted ? TOGETHER.filter((name) => config[name] === undefined) : [];
}

/** Undefined where people sign in with passwords only. */
export function oidcSettings(config: OidcConfig): OidcSettings | undefined {
  const { CONSOLE_OIDC_ISSUER: issuerUrl, CONSOLE_OIDC_CLIENT_ID: clientId, CONSOLE_OIDC_ROLES: roles } = config;
  const { CONSOLE_OIDC_CLIENT_SECRET: clientSecret, CONSOLE_PUBLIC_URL: publicUrl } = config;
  if (!issuerUrl || !clientId || !clientSecret || !roles || !publicUrl) return undefined;
  return {
    issuer: issuerUrl,
    clientId,
    clientSecret,
    grants: roles,
    scopes: config.CONSOLE_OIDC_SCOPES,
    roleClaim: config.CONSOLE_OIDC_ROLE_CLAIM,
    redirectUrl: `${publicUrl}/sign-in`,
  };
}
