import { channels } from '@pushfleet/channels';
import { describeConfig } from '@pushfleet/service-kit';
import { configSchema, ingressUrl, loadConsoleConfig } from './config';
import { oidcSettings } from './people/oidc/settings';

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

describe('where master keys go', () => {
  const PUBLIC = 'http://push.example.com';

  it.each<readonly [Parameters<typeof ingressUrl>[0], string | undefined]>([
    [{}, 'http://127.0.0.1:8080'],
    [{ INGRESS_PUBLIC_URL: PUBLIC }, undefined],
    [{ INGRESS_PUBLIC_URL: 'http://203.0.113.5' }, undefined],
    [{ INGRESS_PUBLIC_URL: 'http://[2001:db8::1]:8080' }, undefined],
    [{ INGRESS_PUBLIC_URL: 'http://10.evil.example' }, undefined],
    ...['https://push.example.com', 'http://10.1.2.3:8080', 'http://[::1]:8080', 'http://localhost:8080'].map(
      (url) => [{ INGRESS_PUBLIC_URL: url }, url] as const,
    ),
    [{ INGRESS_PUBLIC_URL: PUBLIC, INGRESS_URL: 'http://ingress:8080' }, 'http://ingress:8080'],
  ])('with %j: %s', (settings, url) => expect(ingressUrl(settings)).toBe(url));
});

describe('a provider of OpenID Connect', () => {
  const oidc = {
    ...{ CONSOLE_OIDC_ISSUER: 'https://id.example.com', CONSOLE_OIDC_CLIENT_ID: 'pushfleet' },
    ...{ CONSOLE_OIDC_CLIENT_SECRET: 'a secret', CONSOLE_PUBLIC_URL: 'https://console.example.com' },
    CONSOLE_OIDC_ROLES: '[{"value": "staff", "role": "viewer"}]',
  };
  const load = (changed: Readonly<Record<string, string>>) => () => loadConsoleConfig({ ...env, ...oidc, ...changed });

  it('is there with all that it needs, and not without', () => {
    expect(oidcSettings(load({})())).toMatchObject({
      ...{ redirectUrl: 'https://console.example.com/sign-in', roleClaim: 'groups' },
      grants: [{ value: 'staff', role: 'viewer', apps: 'all' }],
    });
    expect(oidcSettings(loadConsoleConfig(env))).toBeUndefined();
    expect(
      oidcSettings(loadConsoleConfig({ ...env, CONSOLE_PUBLIC_URL: 'https://console.example.com' })),
    ).toBeUndefined();
  });

  it.each(Object.keys(oidc))('names %s where it is missing', (name) =>
    expect(load({ [name]: '' })).toThrow(`${name}: is required where people sign in at a provider`),
  );

  it.each([
    ['CONSOLE_OIDC_ISSUER', 'http://id.example.com', 'must be an https:// address'],
    ['CONSOLE_OIDC_ISSUER', 'https://id.example.com?tenant=1', 'must be an https:// address without query'],
    ['CONSOLE_PUBLIC_URL', 'https://console.example.com/console', 'must be an origin without path'],
    ['CONSOLE_OIDC_SCOPES', 'profile', 'openid first'],
    ['CONSOLE_OIDC_ROLES', 'staff=viewer', 'must be JSON, such as [{"value": "push-owners", "role": "owner"}'],
    ['CONSOLE_OIDC_ROLES', '[{"value": "staff", "role": "root"}]', 'entry 1 must be one of viewer'],
    ['CONSOLE_OIDC_ROLES', '[]', 'CONSOLE_OIDC_ROLES: '],
  ])('refuses %s=%s', (name, value, words) => expect(load({ [name]: value })).toThrow(words));

  it('takes an issuer of this machine without TLS, for trying', () =>
    expect(load({ CONSOLE_OIDC_ISSUER: 'http://127.0.0.1:9000' })().CONSOLE_OIDC_ISSUER).toBe('http://127.0.0.1:9000'));
});

describe('configSchema', () => {
  it('describes every variable', () => {
    for (const { name, description } of describeConfig(configSchema))
      expect({ name, description }).not.toEqual({ name, description: '' });
  });
});
