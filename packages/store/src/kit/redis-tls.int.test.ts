import { writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  freePort,
  openAuthority,
  startRedisProcess,
  until,
  type Authority,
  type RedisServer,
} from '@pushfleet/testing';
import { Cluster, Redis } from 'ioredis';
import { connectStore, type StoreEnvironment } from '../connect-store';
import { listReaderOf } from './lists/list-reader';

/** A Redis that speaks TLS, and takes whom its authority has signed. */
let authority: Authority;
let servers: readonly RedisServer[];
let ours: Files;
let [strict, open, expired, misnamed, cluster] = ['', '', '', '', ''];

type Files = Pick<StoreEnvironment, 'REDIS_TLS_CA_FILE' | 'REDIS_TLS_CERT_FILE' | 'REDIS_TLS_KEY_FILE'>;

const asClient = (ca: string, { certFile, keyFile }: { certFile: string; keyFile: string }): Files => ({
  ...{ REDIS_TLS_CA_FILE: ca, REDIS_TLS_CERT_FILE: certFile, REDIS_TLS_KEY_FILE: keyFile },
});

const connect = (url: string, files: Files = {}) =>
  connectStore(
    { REDIS_URL: url, ...files, KEY_PREFIX: 'test', PUSH_RETENTION_MS: 60_000, OUTCOME_BYTES: 0, NODE_ENV: 'test' },
    {
      ...{ patience: 'wait', vendors: new Map(), onError: () => undefined },
      onRedisAway: (reason) => {
        throw new Error(`taken for away: ${reason}`);
      },
    },
  );

beforeAll(async () => {
  authority = await openAuthority();
  const { caFile } = authority;
  const [server, gone, client] = [
    await authority.issue('server'),
    await authority.issue('gone', { days: -1 }),
    await authority.issue('client'),
  ];
  const elsewhere = await authority.issue('elsewhere', { names: 'DNS:redis.example.com' });
  ours = asClient(caFile, client);
  const start = async ({ certFile, keyFile }: typeof server, ...more: readonly string[]) => {
    const port = await freePort();
    const files = ['--tls-cert-file', certFile, '--tls-key-file', keyFile, '--tls-ca-cert-file', caFile];
    const redis = await startRedisProcess({ args: ['--tls-port', String(port), ...files, ...more] });
    return { redis, url: `rediss://127.0.0.1:${port}` };
  };
  const bus = ['--cluster-enabled', 'yes', '--tls-cluster', 'yes', '--cluster-port', String(await freePort())];
  const optional = ['--tls-auth-clients', 'no'];
  const started = await Promise.all([
    start(server),
    start(server, ...optional),
    start(gone, ...optional),
    start(elsewhere, ...optional),
    start(server, ...bus, '--cluster-announce-ip', '127.0.0.1'),
  ]);
  servers = started.map(({ redis }) => redis);
  [strict, open, expired, misnamed, cluster] = started.map(({ url }) => url) as [
    string,
    string,
    string,
    string,
    string,
  ];
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await authority.close();
});

it('a private authority is trusted by its file, and lists are read past the library all the same', async () => {
  const { redis } = await connect(open, { REDIS_TLS_CA_FILE: authority.caFile });
  await redis.zadd('list', 0, 'a', 0, 'b');
  expect(await listReaderOf(redis).rangeByLex('list', '-', 10)).toEqual(['a', 'b']);
  redis.disconnect();
});

it('a process shows its certificate to a Redis that wants one', async () => {
  const { redis } = await connect(strict.replace('127.0.0.1', 'localhost'), ours);
  expect(await redis.ping()).toBe('PONG');
  redis.disconnect();
});

it('a cluster is reached by TLS, and by the name that its certificate has', async () => {
  const direct = new Redis(servers.at(-1)?.url ?? '');
  await direct.cluster('ADDSLOTSRANGE', 0, 16_383);
  await until(async () => /cluster_state:ok/.test(String(await direct.cluster('INFO'))));
  direct.disconnect();
  const { redis } = await connect(cluster.replace('127.0.0.1', 'localhost'), ours);
  expect(redis).toBeInstanceOf(Cluster);
  expect(await redis.set('a', '1')).toBe('OK');
  redis.disconnect();
});

const SPEAKS_TLS = (kind = ''): string => `speaks TLS only: begin the URL with rediss${kind}://`;
const SPEAKS_NO_TLS = (kind = ''): string =>
  `does not speak TLS: begin the URL with redis${kind}://, or switch TLS on there`;

it('a Redis that speaks TLS where the URL has none, or none where it has, is told in one line', async () => {
  const plain = await startRedisProcess();
  const { host } = new URL(plain.url);
  const locked = new Redis(plain.url);
  try {
    for (const [url, told] of [
      [`rediss://${host}`, SPEAKS_NO_TLS()],
      ...[open, strict, misnamed].map((withTls) => [withTls.replace('rediss', 'redis'), SPEAKS_TLS()] as const),
    ] as const)
      await expect(connect(url)).rejects.toMatchObject({
        code: 'config-invalid',
        lines: [`REDIS_URL: Redis at ${new URL(url).host} ${told}`],
      });
    await locked.config('SET', 'requirepass', 'sesame');
    await expect(connect(`rediss://:sesame@${host}`)).rejects.toMatchObject({
      lines: [`REDIS_URL: Redis at ${host} ${SPEAKS_NO_TLS()}`],
    });
  } finally {
    locked.disconnect();
    await plain.close();
  }
});

it('sentinels are reached by TLS, and so is the master that they name', async () => {
  const port = await freePort();
  const { REDIS_TLS_CERT_FILE: cert = '', REDIS_TLS_KEY_FILE: key = '' } = ours;
  const files = [`tls-cert-file ${cert}`, `tls-key-file ${key}`, `tls-ca-cert-file ${authority.caFile}`];
  const monitor = `sentinel monitor main 127.0.0.1 ${new URL(strict).port} 1`;
  const sentinel = await startRedisProcess({
    settings: (plain, dir) => {
      const lines = [`port ${plain}`, `tls-port ${port}`, 'tls-replication yes', `dir ${dir}`, ...files, monitor];
      writeFileSync(join(dir, 'sentinel.conf'), `${lines.join('\n')}\n`);
      return [join(dir, 'sentinel.conf'), '--sentinel'];
    },
  });
  const url = `rediss+sentinel://localhost:${port}/main`;
  const { host: plain } = new URL(sentinel.url);
  try {
    const { redis } = await connect(url, ours);
    expect(await redis.ping()).toBe('PONG');
    redis.disconnect();
    await expect(connect(url)).rejects.toMatchObject({
      lines: [expect.stringMatching(/^REDIS_TLS_CA_FILE: Redis at /)],
    });
    for (const [other, at, told] of [
      [url.replace('rediss', 'redis'), `localhost:${port}`, SPEAKS_TLS],
      [`rediss+sentinel://${plain}/main`, plain, SPEAKS_NO_TLS],
      [`redis+sentinel://${plain}/main`, new URL(strict).host, SPEAKS_TLS],
    ] as const)
      await expect(connect(other)).rejects.toMatchObject({ lines: [`REDIS_URL: Redis at ${at} ${told('+sentinel')}`] });
  } finally {
    await sentinel.close();
  }
});

it('each thing that TLS fails by is one line that names the variable and what to do', async () => {
  const other = await openAuthority();
  const [stranger, outdated] = [await other.issue('stranger'), await authority.issue('outdated', { days: -1 })];
  const { caFile } = authority;
  const [nonsense, missing] = [join(authority.dir, 'nonsense.pem'), join(authority.dir, 'missing.pem')];
  await writeFile(nonsense, 'nonsense');
  const at = (url: string): string => new URL(url).host;
  const own = ours as Required<Files>;
  const cases: readonly (readonly [string, Files, RegExp])[] = [
    [
      open,
      {},
      /^REDIS_TLS_CA_FILE: Redis at .* that no public authority has signed \(SELF_SIGNED_CERT_IN_CHAIN\): name/,
    ],
    [open, { REDIS_TLS_CA_FILE: other.caFile }, /^REDIS_TLS_CA_FILE: Redis at .* that no authority of this file has/],
    [
      expired,
      { REDIS_TLS_CA_FILE: caFile },
      /^REDIS_URL: the certificate of Redis at .* has run out .*: renew it there/,
    ],
    [misnamed, { REDIS_TLS_CA_FILE: caFile }, /^REDIS_URL: the certificate of .* is made for other names \(IP: 127/],
    [strict, { REDIS_TLS_CA_FILE: caFile }, /^REDIS_TLS_CERT_FILE: Redis at .* wants a certificate, and none is set/],
    [strict, asClient(caFile, stranger), /^REDIS_TLS_CERT_FILE: Redis at .* does not take this certificate/],
    [strict, asClient(caFile, outdated), /^REDIS_TLS_CERT_FILE: the certificate in .* holds from .* to .*: renew it$/],
    [
      open,
      { REDIS_TLS_CA_FILE: missing },
      /^REDIS_TLS_CA_FILE: .*missing.pem cannot be read \(ENOENT\): name a PEM file/,
    ],
    [open, { REDIS_TLS_CA_FILE: nonsense }, /^REDIS_TLS_CA_FILE: .*nonsense.pem holds no certificate/],
    [
      strict,
      { REDIS_TLS_CERT_FILE: own.REDIS_TLS_CERT_FILE },
      /^REDIS_TLS_KEY_FILE: is required beside REDIS_TLS_CERT/,
    ],
    [strict, { REDIS_TLS_KEY_FILE: own.REDIS_TLS_KEY_FILE }, /^REDIS_TLS_CERT_FILE: is required beside REDIS_TLS_KEY/],
    [strict, { ...own, REDIS_TLS_KEY_FILE: stranger.keyFile }, /^REDIS_TLS_KEY_FILE: the key in .* is not the one of/],
    [strict, { ...own, REDIS_TLS_KEY_FILE: nonsense }, /^REDIS_TLS_KEY_FILE: .*nonsense.pem holds no private key/],
    [`redis://${at(open)}`, { REDIS_TLS_CA_FILE: caFile }, /^REDIS_TLS_CA_FILE: is set, and REDIS_URL is without TLS/],
  ];
  for (const [url, files, line] of cases) {
    const refused = await connect(url, files).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'config-invalid', lines: [expect.stringMatching(line)] });
  }
  await other.close();
});
