import { channels } from '@pushfleet/channels';
import { describeConfig } from '@pushfleet/service-kit';
import { configSchema, loadConsoleConfig } from './config';

const env = {
  REDIS_URL: 'redis://127.0.0.1:6379',
  SECRET_KEY: Buffer.alloc(32).toString('base64'),
  ADMIN_TOKEN: 'token-of-the-tests',
};

describe('loadConsoleConfig', () => {
  it('knows the production origin of every vendor', () => {
    const expected = Object.assign({}, ...Object.values(channels).map(({ endpoints }) => endpoints)) as object;
    expect(loadConsoleConfig(env).origins).toEqual(expected);
  });

  it('lets the operator send every vendor elsewhere', () => {
    const names = Object.values(channels).flatMap(({ endpoints }) => Object.keys(endpoints));
    const elsewhere = Object.fromEntries(names.map((name) => [name, 'http://127.0.0.1:8090']));
    expect(loadConsoleConfig({ ...env, ...elsewhere }).origins).toEqual(elsewhere);
  });

  it('listens on 8083 and only locally unless told otherwise', () => {
    expect(loadConsoleConfig(env)).toMatchObject({ CONSOLE_PORT: 8083, BIND_ADDRESS: '127.0.0.1' });
  });

  it.each(['t', '1234567'])('refuses the admin token %s, which can be tried out', (guessable) => {
    expect(() => loadConsoleConfig({ ...env, ADMIN_TOKEN: guessable })).toThrow('ADMIN_TOKEN: must have at least 8');
  });

  it('tells everything that is wrong at once', () => {
    const wrong = { MI_PUSH_URL: 'http://host/with/path', CONSOLE_PORT: 'x', ADMIN_TOKEN: ' ' };
    const load = () => loadConsoleConfig({ ...env, ...wrong });
    for (const name of Object.keys(wrong)) expect(load).toThrow(`${name}: `);
  });
});

describe('configSchema', () => {
  it('describes every variable', () => {
    for (const { name, description } of describeConfig(configSchema))
      expect({ name, description }).not.toEqual({ name, description: '' });
  });
});
