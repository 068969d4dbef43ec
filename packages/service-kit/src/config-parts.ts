import { z } from 'zod';
import { DAY_MS, envDurationMs, envInteger, envLimit, envPeriod, envPort, envText, envUrl } from './env-types';
import { DEFAULT_HTTP_LIMITS } from './http-limits';
import { problemOfRedisUrl } from './redis-url';

export const logConfig = {
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('Least severe level that is logged.'),
  LOG_TO: z.enum(['stdout', 'stderr']).default('stdout').describe('Stream that receives the log.'),
};

export const adminConfig = {
  BIND_ADDRESS: z.string().default('127.0.0.1').describe('Address that every port of the process listens on.'),
  METRICS_PORT: envPort().default(0).describe('Port of /metrics, /healthz and /readyz; 0 takes any free port.'),
};

const MIB = 1024 * 1024;

/** How the public port of a service is reached. */
export const tlsConfig = {
  TLS_CERT_FILE: z
    .string()
    .optional()
    .describe(
      'File of the certificate (PEM) that the public port shows, with those between it and its authority; without it the port speaks plain HTTP. Read again when it changes.',
    ),
  TLS_KEY_FILE: z.string().optional().describe('File of the key of that certificate (PEM), without a passphrase.'),
};

/** What callers of an HTTP port may hold, and how they are told apart. */
export const edgeConfig = {
  TRUSTED_PROXY_HOPS: envInteger({ min: 0, max: 10 })
    .default(0)
    .describe('Trusted proxies in front; the address of a caller is then taken from X-Forwarded-For.'),
  HTTP_CONNECTIONS: envLimit(
    DEFAULT_HTTP_LIMITS.connections,
    'Connections at once; a new one takes the place of the one that has waited longest. 0 = no limit.',
  ),
  HTTP_CONNECTIONS_PER_ADDRESS: envLimit(
    DEFAULT_HTTP_LIMITS.connectionsPerAddress,
    'The same of one public address, or of one /64 network of IPv6; 0 = no limit. Not counted behind trusted proxies.',
  ),
  HTTP_HEADERS_TIMEOUT_MS: envPeriod(DEFAULT_HTTP_LIMITS.headersTimeoutMs, 'How long the head of a request may take.', {
    min: 100,
  }),
  HTTP_IDLE_TIMEOUT_MS: envPeriod(
    DEFAULT_HTTP_LIMITS.idleTimeoutMs,
    'How long a connection may wait for its next request; longer than proxies in front keep theirs.',
    { min: 1000 },
  ),
  HTTP_BODY_GRACE_MS: envPeriod(
    10_000,
    'How long a body may stall, or the next piece of an answer take, before HTTP_BODY_BYTES_PER_SECOND holds for it.',
    { min: 100 },
  ),
  HTTP_BODY_BYTES_PER_SECOND: envInteger({ min: 1 })
    .default(1024)
    .describe('Least pace of a body, and of a caller who takes an answer; a slower one is given up.'),
  HTTP_BODY_MEMORY_BYTES: envInteger({ min: 32 * MIB })
    .default(192 * MIB)
    .describe(
      'Bodies that are held at once, answers that callers have not taken among them; beyond it the app that holds the most gives way.',
    ),
  HTTP_BODY_MEMORY_PER_APP_BYTES: envInteger({ min: 32 * MIB })
    .default(64 * MIB)
    .describe('The same of one app with one of its keys; half of it from one address.'),
};

/** How long an installation is kept whose device is not seen. */
export const installationAges = {
  // LeanCloud push guide: targets were seen within three months. It deletes the others then; they get as long again here.
  INSTALLATION_STALE_AFTER_MS: envPeriod(
    90 * DAY_MS,
    'Installations that were not updated for so long are no targets any more, until they save again.',
    { min: DAY_MS },
  ),
  INSTALLATION_DELETE_AFTER_MS: envPeriod(
    180 * DAY_MS,
    'Installations that were not updated for so long are removed by the daily sweep; those that were stale when they were imported, so long after the import.',
    { min: DAY_MS },
  ),
};

const envRedisUrl = () =>
  z.string().transform((text, context) => {
    const url = text.trim();
    const problem = problemOfRedisUrl(url);
    if (problem === undefined) return url;
    context.addIssue({ code: 'custom', message: problem });
    return z.NEVER;
  });

export const redisConfig = {
  REDIS_URL: envRedisUrl().meta({
    description:
      'Redis, or several nodes of one Redis Cluster, separated by commas; or the sentinels and the name of their master, as `redis+sentinel://host:26379,host:26379/name`.',
    secret: true,
  }),
  REDIS_PASSWORD: z
    .string()
    .optional()
    .meta({ description: 'Password of Redis, where `REDIS_URL` names none.', secret: true }),
  REDIS_SENTINEL_PASSWORD: z
    .string()
    .optional()
    .meta({ description: 'Password of the sentinels, where they want one.', secret: true }),
  REDIS_TLS_CA_FILE: z
    .string()
    .optional()
    .describe(
      'File of the authorities (PEM) that may have signed the certificate of Redis, instead of the public ones; with rediss:// only, as the next two.',
    ),
  REDIS_TLS_CERT_FILE: z
    .string()
    .optional()
    .describe('File of the certificate (PEM) by which Redis knows this process, where Redis wants one.'),
  REDIS_TLS_KEY_FILE: z
    .string()
    .optional()
    .describe('File of the key of that certificate (PEM), without a passphrase.'),
  KEY_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/, 'may hold letters, digits, - and _ only')
    .default('pushfleet')
    .describe('First part of every Redis key, so that several fleets can share one Redis.'),
  PUSH_RETENTION_MS: envPeriod(
    7 * DAY_MS,
    'How long the record of a push is kept after the push is done; the same in every process.',
    { min: 60_000 },
  ),
  ADDRESSED_PUSH_RETENTION_MS: envDurationMs({ min: 60_000 })
    .optional()
    .describe(
      'The same for a push that names its devices, or a channel of few; absent = `PUSH_RETENTION_MS`. The same in every process.',
    ),
  OUTCOME_BYTES: envInteger({ min: 0, max: Number.MAX_SAFE_INTEGER })
    .default(128 * 1024 * 1024)
    .describe(
      'Memory of Redis for what became of every device of the audience pushes of one app; beyond it those of the oldest pushes go. 0: none are kept. The same in every process.',
    ),
  NODE_ENV: z
    .string()
    .default('development')
    .describe('In `production` a Redis without maxmemory is refused: nobody could tell when it is full.'),
};

/** What installations may take of Redis, in a process that stores new ones. */
export const ceilingConfig = {
  APP_INSTALLATIONS: envLimit(0, 'Most installations of an app that has no `limits.installations`; 0 = no ceiling.'),
  APP_INSTALLATIONS_BYTES: envInteger({ min: 0 })
    .optional()
    .describe(
      'Most bytes that the installations of an app take which has no `limits.installationsBytes`; 0 = no ceiling. Unset: half of the maxmemory of all masters.',
    ),
};

const KEY_BYTES = 32;

const secretKey = () =>
  envText(`must be ${KEY_BYTES} bytes in base64`, (text) => {
    const key = Buffer.from(text, 'base64');
    const isBase64 = /^[A-Za-z0-9+/_-]+=*$/.test(text);
    return isBase64 && key.length === KEY_BYTES ? text : undefined;
  });

export const secretConfig = {
  SECRET_KEY: secretKey().meta({
    description: 'Key that stored secrets are encrypted with: 32 bytes, base64.',
    secret: true,
  }),
  SECRET_KEY_PREVIOUS: secretKey()
    .optional()
    .meta({ description: 'The key before, while secrets are being re-encrypted.', secret: true }),
};

const share = () =>
  envText('must be a number from 0 to 1', (text) => {
    const value = Number(text);
    return /^\d*\.?\d+$/.test(text) && value <= 1 ? value : undefined;
  });

const tracingConfig = {
  OTEL_EXPORTER_OTLP_ENDPOINT: envUrl()
    .optional()
    .describe('Receiver of traces that speaks OTLP over HTTP, without /v1/traces; without it nothing is traced.'),
  OTEL_TRACES_SAMPLER_ARG: share().default(1).describe('Share of all traces that is kept, the same in every process.'),
};

/** What every process of a fleet is told. */
export const processConfig = { ...logConfig, ...adminConfig, ...redisConfig, ...tracingConfig };

/** What every service with an HTTP API of its own is told. */
export const apiConfig = { ...edgeConfig, ...tlsConfig, ...processConfig, ...secretConfig };
