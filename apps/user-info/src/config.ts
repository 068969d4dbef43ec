import {
  DAY_MS,
  apiConfig,
  envPeriod,
  envLimit,
  envList,
  envOrigin,
  envPort,
  loadConfig as load,
  type Environment,
} from '@pushfleet/service-kit';
import { z } from 'zod';
import { expandPresets, HOST_PRESETS } from './host-presets';

export const configSchema = z.object({
  USER_INFO_PORT: envPort().default(8081).describe('Port of the user information API.'),
  USER_INFO_PUBLIC_URLS: z
    .string()
    .transform(expandPresets)
    .pipe(envList(envOrigin()))
    .optional()
    .describe(
      'Addresses that callers sign, separated by commas, each with scheme and, where it is not the usual one, port; ' +
        `${[...HOST_PRESETS.keys()].join(', ')} stand for the hosts of these SDK generations. ` +
        'Without it: 127.0.0.1 and localhost at USER_INFO_PORT.',
    ),
  MAC_WINDOW_MS: envPeriod(
    300_000,
    'Greatest distance of a signature’s timestamp from the clock of the server, either way.',
    { min: 1_000, max: DAY_MS },
  ),
  MAC_FAILURES_PER_ADDRESS: envLimit(
    6_000,
    'Refused signatures per minute and address before the answer is slow_down; 0 for no limit.',
  ),
  MAC_FAILURES_PER_TOKEN: envLimit(
    600,
    'Refused signatures per minute and access token before the answer is slow_down; 0 for no limit.',
  ),
  MAC_REQUESTS_PER_TOKEN: envLimit(
    600,
    'Requests per minute that one access token may sign before the answer is slow_down, counted by their timestamps; ' +
      '0 for no limit.',
  ),
  ...apiConfig,
});

export type UserInfoConfig = Omit<z.output<typeof configSchema>, 'USER_INFO_PUBLIC_URLS'> & {
  readonly USER_INFO_PUBLIC_URLS: readonly string[];
};

export function loadConfig(env: Environment = process.env): UserInfoConfig {
  const config = load(configSchema, env);
  const scheme = config.TLS_CERT_FILE === undefined ? 'http' : 'https';
  const {
    USER_INFO_PORT: port,
    USER_INFO_PUBLIC_URLS: urls = ['127.0.0.1', 'localhost'].map((host) => `${scheme}://${host}:${port}`),
  } = config;
  return { ...config, USER_INFO_PUBLIC_URLS: urls };
}
