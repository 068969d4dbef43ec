import { z } from 'zod';
import { adminConfig, logConfig, redisConfig, secretConfig } from './config-parts';
import { describeConfig } from './describe-config';
import { envDurationMs, envList } from './env-types';

describe('describeConfig', () => {
  it('tells name, description, default, need and secrecy of every variable', () => {
    const schema = z.object({
      DRAIN: envDurationMs().describe('Drain.').default(20_000),
      HOSTS: envList(z.string()).describe('Hosts.'),
      KEY: z.string().meta({ description: 'Key.', secret: true }).optional(),
    });
    expect(describeConfig(schema)).toEqual([
      { name: 'DRAIN', description: 'Drain.', default: 20_000, required: false, secret: false },
      { name: 'HOSTS', description: 'Hosts.', default: undefined, required: true, secret: false },
      { name: 'KEY', description: 'Key.', default: undefined, required: false, secret: true },
    ]);
  });

  it('finds a description for every shared variable, and secrets marked', () => {
    const variables = describeConfig(z.object({ ...logConfig, ...adminConfig, ...redisConfig, ...secretConfig }));
    expect(variables.filter(({ description }) => description === '')).toEqual([]);
    expect(variables.filter(({ secret }) => secret).map(({ name }) => name)).toEqual([
      'REDIS_URL',
      'REDIS_PASSWORD',
      'REDIS_SENTINEL_PASSWORD',
      'SECRET_KEY',
      'SECRET_KEY_PREVIOUS',
    ]);
    expect(variables.filter(({ required }) => required).map(({ name }) => name)).toEqual(['REDIS_URL', 'SECRET_KEY']);
  });
});
