import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, until } from '@pushfleet/testing';
import { parse } from 'yaml';
import { ROOT } from './testing/document-examples';

const run = promisify(execFile);
const GIVEN = ['console_oidc_client_secret', 'secret_key_previous'];
const MADE = ['admin_token', 'redis_password', 'secret_key'];
const NAMES = [...MADE, ...GIVEN].sort();

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pushfleet-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const makeSecrets = async (env: Readonly<Record<string, string>> = {}): Promise<string> =>
  (await run('sh', [join(ROOT, 'infra/docker/make-secrets.sh')], { cwd: folder, env: { ...PATH, ...env } })).stdout;
const PATH = { PATH: process.env['PATH'] };
const secret = (name: string): string => readFileSync(join(folder, 'secrets', name), 'utf8').trim();

test('secrets are made once, in a folder that others cannot enter', async () => {
  expect((await makeSecrets()).split('\n').filter((line) => line.startsWith('made '))).toHaveLength(NAMES.length);
  expect(readdirSync(join(folder, 'secrets'))).toEqual(NAMES);
  expect(statSync(join(folder, 'secrets')).mode & 0o777).toBe(0o700);
  const made = NAMES.map(secret);
  expect(Buffer.from(secret('secret_key'), 'base64')).toHaveLength(32);
  expect([GIVEN.map(secret), new Set(MADE.map(secret)).size]).toEqual([['', ''], MADE.length]);
  expect([await makeSecrets(), NAMES.map(secret)]).toEqual(['', made]);
});

test('what was in .env or in the environment is taken over', async () => {
  writeFileSync(
    join(folder, '.env'),
    'export SECRET_KEY="from=file=" # ours\nADMIN_TOKEN = from-file # theirs\nREDIS_PASSWORD=\n',
  );
  await makeSecrets({ ADMIN_TOKEN: 'from-shell' });
  expect([secret('secret_key'), secret('admin_token')]).toEqual(['from=file=', 'from-shell']);
  expect(secret('redis_password')).toMatch(/^[0-9a-f]{48}$/);
});

test('a secret is taken over as it is, whatever the shell makes of a backslash', async () => {
  const token = String.raw`-n a\tb\nc`;
  await makeSecrets({ ADMIN_TOKEN: token });
  expect(secret('admin_token')).toBe(token);
});

interface Compose {
  readonly services: { readonly redis: { readonly command: readonly string[] } };
}

/** The command of docker-compose.yml, outside of a container. */
async function startAsComposed(port: number): Promise<ChildProcess> {
  const { services } = parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), {
    merge: true,
    maxAliasCount: -1,
  }) as Compose;
  const plain = services.redis.command.map((part) =>
    part
      .replaceAll('$$', '$')
      .replaceAll('/run/secrets', join(folder, 'secrets'))
      .replace('docker-entrypoint.sh ', '')
      .replaceAll(/\$\{\w+:-(\w+)\}/g, '$1'),
  );
  const [command = '', ...args] = [...plain, '--port', String(port), '--dir', folder];
  return spawn(command, args, { env: { ...PATH }, stdio: 'ignore' });
}

test.each([
  ['that is made up', {}],
  ['of any characters', { REDIS_PASSWORD: String.raw`"it's" \a $HOME $(true) #1 %` }],
])('Redis and its command line have a password %s, and neither arguments nor environment show it', async (_, given) => {
  await makeSecrets(given);
  const port = await freePort();
  const redis = await startAsComposed(port);
  try {
    const shown = ['cmdline', 'environ'].map((what) => () => readFileSync(`/proc/${redis.pid ?? 0}/${what}`, 'utf8'));
    const ask = async (env: Readonly<Record<string, string>>): Promise<string> =>
      (await run('redis-cli', ['-p', String(port), 'ping'], { env: { ...PATH, ...env } })).stdout.trim();
    await until(async () => (await ask({}).catch(() => '')).startsWith('NOAUTH'));
    expect(await ask({ REDISCLI_AUTH: secret('redis_password') })).toContain('PONG');
    if ('REDIS_PASSWORD' in given) expect(secret('redis_password')).toBe(given.REDIS_PASSWORD);
    for (const read of shown) expect(read()).not.toContain(secret('redis_password'));
    const wrapper = join(folder, 'redis-cli');
    const text = readFileSync(join(ROOT, 'infra/docker/redis-cli.sh'), 'utf8');
    expect(statSync(join(ROOT, 'infra/docker/redis-cli.sh')).mode & 0o111).toBe(0o111);
    writeFileSync(wrapper, text.replace('/run/secrets', join(folder, 'secrets')).replace('/usr/local/bin/', ''));
    const { stdout } = await run('sh', [wrapper, '-p', String(port), '-e', 'ping'], { env: { ...PATH } });
    expect(stdout).toContain('PONG');
  } finally {
    redis.kill('SIGKILL');
    await once(redis, 'close');
  }
});
