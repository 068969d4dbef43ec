import { z } from 'zod';
import { isConfigError } from './config-error';
import { adminConfig, logConfig, redisConfig, secretConfig } from './config-parts';
import { envInteger, envPort } from './env-types';
import { loadConfig } from './load-config';

const schema = z.object({
  ...logConfig,
  ...adminConfig,
  ...redisConfig,
  ...secretConfig,
  INGRESS_PORT: envPort().default(8080),
});
const KEY = Buffer.alloc(32, 7).toString('base64');

const linesOf = (run: () => unknown): readonly string[] => {
  try {
    run();
  } catch (error) {
    if (isConfigError(error)) return error.lines;
    throw error;
  }
  return [];
};

describe('loadConfig', () => {
  it('fills in defaults and parses what is set', () => {
    expect(
      loadConfig(schema, { REDIS_URL: 'redis://127.0.0.1:6379/1', SECRET_KEY: KEY, METRICS_PORT: '9100', HOME: '/' }),
    ).toEqual({
      LOG_LEVEL: 'info',
      LOG_TO: 'stdout',
      BIND_ADDRESS: '127.0.0.1',
      METRICS_PORT: 9100,
      REDIS_URL: 'redis://127.0.0.1:6379/1',
      NODE_ENV: 'development',
      PUSH_RETENTION_MS: 604_800_000,
      OUTCOME_BYTES: 134_217_728,
      KEY_PREFIX: 'pushfleet',
      SECRET_KEY: KEY,
      INGRESS_PORT: 8080,
    });
  });

  it('names the variable that is nearly one which is missing, and no other', () => {
    const env = { REDIS_ULR: 'redis://127.0.0.1', SECRET_KEYS_FILE: '/run/key', INGRES_PORT: '1' };
    expect(linesOf(() => loadConfig(schema, env))).toEqual([
      'REDIS_URL: is required',
      'SECRET_KEY: is required',
      'REDIS_ULR: no setting has this name; is REDIS_URL meant?',
      'SECRET_KEYS_FILE: no setting has this name; is SECRET_KEY_FILE meant?',
    ]);
  });

  it('tells all violations together, each with the name of its variable', () => {
    const env = {
      METRICS_PORT: '70000',
      INGRESS_PORT: 'http',
      SECRET_KEY: 'short',
      LOG_LEVEL: 'loud',
      KEY_PREFIX: 'a:b',
    };
    expect(linesOf(() => loadConfig(schema, env))).toEqual([
      'LOG_LEVEL: must be one of trace, debug, info, warn, error, fatal, silent',
      'METRICS_PORT: must be a whole number from 0 to 65535',
      'REDIS_URL: is required',
      'KEY_PREFIX: may hold letters, digits, - and _ only',
      'SECRET_KEY: must be 32 bytes in base64',
      'INGRESS_PORT: must be a whole number from 0 to 65535',
    ]);
  });

  it('never repeats the value of a variable', () => {
    const lines = linesOf(() => loadConfig(schema, { SECRET_KEY: 'tell-nobody', REDIS_URL: 'http://:hunter2@redis' }));
    expect(lines.join()).not.toMatch(/tell-nobody|hunter2/);
  });

  it('takes an empty variable for an absent one', () => {
    const limits = z.object({ LIMIT: envInteger().default(600), NAME: z.string() });
    expect(linesOf(() => loadConfig(limits, { LIMIT: '', NAME: ' ' }))).toEqual(['NAME: is required']);
    expect(loadConfig(limits, { LIMIT: '', NAME: 'a' }).LIMIT).toBe(600);
  });

  it('takes the nodes of a cluster, and refuses a list with a foreign scheme', () => {
    const redis = z.object(redisConfig);
    expect(loadConfig(redis, { REDIS_URL: 'redis://a:1,rediss://b:2' }).REDIS_URL).toBe('redis://a:1,rediss://b:2');
    expect(linesOf(() => loadConfig(redis, { REDIS_URL: 'redis://a:1,http://b:2' }))).toEqual([
      'REDIS_URL: must be redis:// or rediss:// URLs, separated by commas, or redis+sentinel://host:port,host:port/master-name',
    ]);
  });

  it('takes what is meant to name sentinels: the store reads it', () => {
    const REDIS_URL = 'rediss+sentinel://user:p%40ss@a,[::1]:26379,10.0.0.1/main/3';
    expect(loadConfig(z.object(redisConfig), { REDIS_URL }).REDIS_URL).toBe(REDIS_URL);
  });

  it('names the schema as a whole when a rule spans variables', () => {
    const pair = z.object({ MIN: envInteger(), MAX: envInteger() }).refine(({ MIN, MAX }) => MIN <= MAX, {
      path: ['MIN'],
      message: 'must not exceed MAX',
    });
    expect(linesOf(() => loadConfig(pair, { MIN: '2', MAX: '1' }))).toEqual(['MIN: must not exceed MAX']);
  });
});
