import { channelNames } from '@pushfleet/channels';
import { isConfigError } from '@pushfleet/service-kit';
import { loadChoice } from './config';
import { byWhatWasSet, environmentOfRoles } from './environment';
import { listenFor } from './ports';
import { settleRoles } from './roles';

const SECRETS = {
  SECRET_KEY: Buffer.alloc(32).toString('base64'),
  ADMIN_TOKEN: 'an admin token',
  REDIS_URL: 'redis://127.0.0.1',
};

const linesOf = async (run: () => unknown): Promise<readonly string[]> => {
  try {
    await run();
    return [];
  } catch (error) {
    if (isConfigError(error)) return error.lines;
    throw error;
  }
};

const settle = (env: Readonly<Record<string, string>>) => {
  const config = loadChoice({ ...SECRETS, ...env });
  return settleRoles(config, environmentOfRoles(config, { ...SECRETS, ...env }));
};

const titlesOf = async (env: Readonly<Record<string, string>>) =>
  (await settle(env)).map((wave) => wave.map(({ name, labels }) => [name, ...Object.values(labels)].join(' ')));

test('without ROLES and CHANNEL it is the whole fleet, doors last', async () => {
  const [workers, doors] = await titlesOf({});
  expect(doors).toEqual(['ingress', 'gateway', 'console', 'user-info'].filter((name) => doors?.includes(name)));
  const ofChannels = [...channelNames, 'own'].map((name) => `channel-worker ${name}`);
  expect([...(workers ?? [])].sort()).toEqual([...ofChannels, 'dispatcher'].sort());
  expect(doors).toHaveLength(4);
});

test('ROLES and CHANNEL name some of them, each once', async () => {
  const some = await titlesOf({ ROLES: 'worker, ingress,worker', CHANNEL: 'mi,hms,mi' });
  expect(some).toEqual([['channel-worker mi', 'channel-worker hms'], ['ingress']]);
});

test('a variable that is nearly a setting of a role is known, and keeps no role from starting', async () => {
  const waves = await settle({ ROLES: 'gateway', PUSH_RETENTON_MS: '1d', DRAINMS: '5s' });
  expect(waves.flat().flatMap(({ misspelled }) => misspelled)).toEqual([
    { variable: 'PUSH_RETENTON_MS', setting: 'PUSH_RETENTION_MS' },
    { variable: 'DRAINMS', setting: 'DRAIN_MS' },
  ]);
});

test.each([
  [{ ROLES: 'ingress,mailer' }, ['ROLES: entry 2 is "mailer", not one of ingress, dispatcher, worker']],
  [{ CHANNEL: 'fcm' }, ['CHANNEL: entry 1 is "fcm", not one of ']],
  [{ ROLES: ' , ' }, ['ROLES: must name at least one entry']],
])('%j: one line says what was found and what there is', async (env, lines) => {
  const found = await linesOf(() => settle(env));
  expect(found).toEqual(lines.map((line) => expect.stringContaining(line)));
});

test('without settings everything that is required is told at once', async () => {
  const lines = await linesOf(() => settleRoles(loadChoice({}), {}));
  expect([...lines].sort()).toEqual([
    expect.stringMatching(/^ADMIN_TOKEN: /),
    'REDIS_URL: is required',
    'SECRET_KEY: is required',
  ]);
});

test('what is wrong for many roles is told once, together with all else', async () => {
  const env = { SECRET_KEY: 'short', USER_INFO_PORT: 'eighty', SEND_CONCURRENCY: '0' };
  expect(await linesOf(() => settle(env))).toEqual(
    expect.arrayContaining([
      'SECRET_KEY: must be 32 bytes in base64',
      'USER_INFO_PORT: must be a whole number from 0 to 65535',
      'SEND_CONCURRENCY: must be a whole number from 1 to 1000',
    ]),
  );
  expect(await linesOf(() => settle(env))).toHaveLength(3);
});

test('two doors on one port are named, with the port', async () => {
  const roles = await settle({ CONSOLE_PORT: '8080', METRICS_PORT: '8081' });
  expect(await linesOf(() => listenFor(roles.flat()))).toEqual([
    'CONSOLE_PORT: port 8080 is that of INGRESS_PORT, too; give it one of its own',
    'METRICS_PORT: port 8081 is that of USER_INFO_PORT, too; give it one of its own',
  ]);
  expect(await linesOf(async () => listenFor((await settle({ CONSOLE_PORT: '0', INGRESS_PORT: '0' })).flat()))).toEqual(
    [],
  );
});

test('requests and WebSockets may have one port; what stands before it is the same for both', async () => {
  const roles = async (env: Readonly<Record<string, string>>) =>
    (await settle({ INGRESS_PORT: '8080', GATEWAY_PORT: '8080', ...env })).flat();
  expect(await linesOf(async () => listenFor(await roles({ TRUSTED_PROXY_HOPS: '1' })))).toEqual([]);
  expect(await linesOf(async () => listenFor(await roles({ PROXY_HOPS: '1' })))).toEqual([
    'PROXY_HOPS: is 1 and TRUSTED_PROXY_HOPS is 0, but the proxies before port 8080 are the same; set TRUSTED_PROXY_HOPS only',
  ]);
  expect(await linesOf(async () => listenFor(await roles({ CONSOLE_PORT: '8080' })))).toEqual([
    'CONSOLE_PORT: port 8080 is that of INGRESS_PORT, too; give it one of its own',
  ]);
});

test.each([
  [{}, undefined],
  [{ GATEWAY_PORT: '8080' }, 'wss://push.example.com'],
  [{ GATEWAY_PORT: '8080', GATEWAY_PUBLIC_URLS: 'wss://gateway.example.com' }, 'wss://gateway.example.com'],
  [{ GATEWAY_PORT: '8080', ROLES: 'gateway' }, undefined],
])('%j: devices are told to come where senders come, if it is one address', (env, urls) => {
  const given = { ...SECRETS, INGRESS_PUBLIC_URL: 'https://push.example.com', ...env };
  expect(environmentOfRoles(loadChoice(given), given)['GATEWAY_PUBLIC_URLS']).toBe(urls);
});

test('a port of a role that does not run is free for others', async () => {
  const roles = await settle({ ROLES: 'console', CONSOLE_PORT: '8080' });
  expect(await linesOf(() => listenFor(roles.flat()))).toEqual([]);
});

test.each([
  [{}, 'http://127.0.0.1:8080'],
  [{ INGRESS_PORT: '9000', BIND_ADDRESS: '0.0.0.0' }, 'http://127.0.0.1:9000'],
  [{ INGRESS_PORT: '9000', BIND_ADDRESS: '::1' }, 'http://[::1]:9000'],
  [{ INGRESS_URL: 'http://10.0.0.1' }, 'http://10.0.0.1'],
  [{ ROLES: 'console' }, undefined],
])('%j: the console is told where the ingress is', (env, url) => {
  const config = loadChoice({ ...SECRETS, ...env });
  expect(environmentOfRoles(config, env)['INGRESS_URL']).toBe(url);
});

const HOPS = 'must be a whole number from 0 to 10';
const PORT = 'must be a whole number from 0 to 65535';
const WEB = 'must be a URL that begins with http:// or https://';
const ONE_PORT = { INGRESS_PORT: '8080', GATEWAY_PORT: '8080' };

test.each([
  [{ INGRESS_PORT: '99999' }, [`INGRESS_PORT: ${PORT}`]],
  [{ INGRESS_PORT: '99999', INGRESS_URL: 'here' }, [`INGRESS_PORT: ${PORT}`, `INGRESS_URL: ${WEB}`]],
  [{ BIND_ADDRESS: 'here:' }, [`BIND_ADDRESS: INGRESS_URL, which is made of it, ${WEB}`]],
  [{ ...ONE_PORT, TRUSTED_PROXY_HOPS: 'x' }, [`TRUSTED_PROXY_HOPS: ${HOPS}`]],
  [{ ...ONE_PORT, INGRESS_PUBLIC_URL: 'here' }, [`INGRESS_PUBLIC_URL: ${WEB}`]],
  [{ ...ONE_PORT, INGRESS_PUBLIC_URL: 'here', ROLES: 'ingress,gateway' }, [`INGRESS_PUBLIC_URL: ${WEB}`]],
])('%j: only what was set is wrong', async (env, lines) => {
  const found = await linesOf(() =>
    settle(env).catch((error: unknown) => {
      throw byWhatWasSet(error, loadChoice(env), env);
    }),
  );
  expect([...found].sort()).toEqual(lines);
});
