import { z } from 'zod';
import { redisConfig, tlsConfig } from './config-parts';
import { envInteger } from './env-types';
import { misspelledSettings } from './misspelled-settings';

const schema = z.object({
  ...redisConfig,
  ...tlsConfig,
  ROLES: z.string().optional(),
  TRUSTED_PROXY_HOPS: envInteger({ min: 0 }).default(0),
});

const settingFor = (variable: string) => misspelledSettings(schema, { [variable]: 'x' }).map(({ setting }) => setting);

test.each([
  ['a letter that is missing', 'PUSH_RETENTON_MS', 'PUSH_RETENTION_MS'],
  ['one too many', 'TRUSTED_PROXY_HOPSS', 'TRUSTED_PROXY_HOPS'],
  ['another one', 'TRUSTED-PROXY-HOPS', 'TRUSTED_PROXY_HOPS'],
  ['two that changed places', 'OUTCOME_BYTSE', 'OUTCOME_BYTES'],
  ['small letters', 'key_prefix', 'KEY_PREFIX'],
  ['the file of a secret', 'REDIS_PASWORD_FILE', 'REDIS_PASSWORD_FILE'],
])('%s: the setting that is meant is named', (_, variable, setting) => {
  expect(settingFor(variable)).toEqual([setting]);
});

test.each([
  'PUSH_RETENTION_MS',
  'REDIS_URL_FILE',
  'ROLE',
  'PUSH_RETENTION',
  'REDIS_PORT',
  'SSL_CERT_FILE',
  'PATH',
  'HOME',
  'npm_config_cache',
])('%s is a setting, or far from each', (variable) => {
  expect(settingFor(variable)).toEqual([]);
});

test('all of an environment are told, each once', () => {
  const env = { PUSH_RETENTON_MS: '1d', KEY_PREFIX: 'a', KEYPREFIX: 'b' };
  expect(misspelledSettings(schema, env)).toEqual([
    { variable: 'PUSH_RETENTON_MS', setting: 'PUSH_RETENTION_MS' },
    { variable: 'KEYPREFIX', setting: 'KEY_PREFIX' },
  ]);
});
