import { z } from 'zod';
import { envPort, envText, envUrl } from './env-types';

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

const redisUrl = envUrl({ protocols: ['redis:', 'rediss:'] });

const REDIS_RULE = 'must be redis:// or rediss:// URLs, separated by commas';

export const redisConfig = {
  REDIS_URL: envText(REDIS_RULE, (text) =>
    text.split(',').every((url) => redisUrl.safeParse(url.trim()).success) ? text : undefined,
  ).meta({ description: 'Redis, or several nodes of one Redis Cluster, separated by commas.', secret: true }),
  KEY_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/, 'may hold letters, digits, - and _ only')
    .default('pushfleet')
    .describe('First part of every Redis key, so that several fleets can share one Redis.'),
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
