import { describeConfig } from '@pushfleet/service-kit';
import { configSchema, loadConfig } from './config';

const required = { REDIS_URL: 'redis://127.0.0.1:6379', SECRET_KEY: Buffer.alloc(32, 1).toString('base64') };

it('has defaults for everything that is neither a secret nor an address of ours', () => {
  expect(loadConfig(required)).toMatchObject({
    USER_INFO_PORT: 8081,
    USER_INFO_PUBLIC_URLS: ['http://127.0.0.1:8081', 'http://localhost:8081'],
    MAC_WINDOW_MS: 300_000,
  });
});

it('expects callers on this machine to sign the port that it listens on', () => {
  expect(loadConfig({ ...required, USER_INFO_PORT: '9000' }).USER_INFO_PUBLIC_URLS).toEqual([
    ...['http://127.0.0.1:9000', 'http://localhost:9000'],
  ]);
});

it('takes several public addresses', () => {
  const USER_INFO_PUBLIC_URLS = 'https://login.example.com, https://intl.example.com:8443';
  expect(loadConfig({ ...required, USER_INFO_PUBLIC_URLS }).USER_INFO_PUBLIC_URLS).toEqual([
    ...['https://login.example.com', 'https://intl.example.com:8443'],
  ]);
});

it.each([
  ['taptap-v2', ['https://tds-tapsdk.cn.tapapis.com']],
  ['taptap-v3', ['https://openapi.taptap.com']],
  ['taptap-v3-global', ['https://openapi.tap.io']],
  ['taptap-v4', ['https://open.tapapis.cn']],
  ['taptap-v4-global', ['https://open.tapapis.com']],
])('takes %s for the hosts that builds of that generation sign, beside other addresses', (preset, hosts) => {
  const USER_INFO_PUBLIC_URLS = `${preset}, https://login.example.com`;
  expect(loadConfig({ ...required, USER_INFO_PUBLIC_URLS }).USER_INFO_PUBLIC_URLS).toEqual([
    ...[...hosts, 'https://login.example.com'],
  ]);
});

it('names every variable that is wrong', () => {
  const env = { USER_INFO_PUBLIC_URLS: 'http://a.example.com,b.example.com', MAC_WINDOW_MS: '1ms' };
  expect(() => loadConfig(env)).toThrow(
    /USER_INFO_PUBLIC_URLS: entry 2 .*\nMAC_WINDOW_MS: .*\nREDIS_URL: is required\nSECRET_KEY: is required/,
  );
});

it('describes every variable', () => {
  for (const { name, description } of describeConfig(configSchema))
    expect(`${name} ${description}`).toMatch(/ .{10,}\.$/);
});
