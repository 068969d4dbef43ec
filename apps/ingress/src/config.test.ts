import { loadConfig } from './config';

const NEEDED = { REDIS_URL: 'redis://127.0.0.1:6379', SECRET_KEY: Buffer.alloc(32, 1).toString('base64') };

it('needs Redis and the secret key, and nothing else', () => {
  expect(loadConfig(NEEDED)).toMatchObject({ INGRESS_PORT: 8080, SIGN_MAX_AGE_MS: 0 });
  expect(loadConfig(NEEDED).INGRESS_PUBLIC_URL).toBeUndefined();
  expect(() => loadConfig({})).toThrow(/REDIS_URL: is required[^]*SECRET_KEY: is required/);
});

it('the public address loses its trailing slash', () => {
  const config = loadConfig({ ...NEEDED, INGRESS_PUBLIC_URL: 'https://push.example.com/' });
  expect(config.INGRESS_PUBLIC_URL).toBe('https://push.example.com');
});
