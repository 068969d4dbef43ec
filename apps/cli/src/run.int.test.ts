import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { redisHarness } from '@pushfleet/testing';
import { runCli, type CliRun } from './testing/run-cli';
import { startConsole, type RunningConsole } from './testing/start-console';

const harness = redisHarness();
const ADMIN_TOKEN = 'admin-token-of-the-tests';
let running: RunningConsole;
let files: string;

beforeAll(async () => {
  running = await startConsole({
    ADMIN_TOKEN,
    REDIS_URL: harness.url,
    KEY_PREFIX: harness.namespace,
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    INGRESS_PUBLIC_URL: 'https://push.example.com',
    MI_PUSH_URL: 'http://127.0.0.1:9',
  });
  harness.onClose(() => running.stop());
  files = await mkdtemp(join(tmpdir(), 'pushfleet-cli-'));
  harness.onClose(() => rm(files, { recursive: true }));
});

const cli = (argv: readonly string[], stdin?: string): Promise<CliRun> =>
  runCli(argv, { env: { ADMIN_TOKEN, PUSHFLEET_URL: `${running.url}/` }, ...(stdin === undefined ? {} : { stdin }) });

async function cliJson(argv: readonly string[], stdin?: string): Promise<Record<string, unknown>> {
  const { code, out, err } = await cli([...argv, '--json'], stdin);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^[^\n]+\n$/);
  return JSON.parse(out) as Record<string, unknown>;
}

const anApp = async (): Promise<string> =>
  String((await cliJson(['apps', 'create', 'Test', '--edition', 'commercial']))['id']);

const MI = { appId: 'app', appSecret: 'top-secret', packageName: 'com.example.app' };

describe('apps', () => {
  it('creates an app that is then listed and shown with its keys', async () => {
    const { code, out } = await cli(['apps', 'create', '测试 app', '--edition', 'commercial']);
    expect(code).toBe(0);
    const [, id = ''] = /^id: +(\S+)$/m.exec(out) ?? [];
    expect((await cli(['apps', 'list'])).out).toMatch(new RegExp(`^${id} +测试 app +commercial +off$`, 'm'));
    expect((await cli(['apps', 'show', id])).out).toBe(out);
    expect(out).toMatch(/^master key: +\w{20,}$/m);
  });

  it('keeps given keys, read from a file or from standard input', async () => {
    const keys = JSON.stringify({ key: 'given-key', masterKey: 'given-master-key' });
    const file = join(files, 'keys.json');
    await writeFile(file, keys);
    const fromFile = await cliJson(['apps', 'create', 'Moved', '--id', 'moved-app-gzGzoHsz', '--keys-file', file]);
    const fromStdin = await cliJson(['apps', 'create', 'Moved', '--keys-file', '-'], keys);
    expect(fromFile).toMatchObject({ id: 'moved-app-gzGzoHsz', key: 'given-key', masterKey: 'given-master-key' });
    expect(fromStdin).toMatchObject({ edition: 'developer', key: 'given-key', masterKey: 'given-master-key' });
  });

  it('changes settings and limits', async () => {
    const id = await anApp();
    const settings = ['--name', 'New', '--hybrid', 'on', '--client-push', 'off', '--overlong', 'reject'];
    const limits = ['--calls-per-minute', '0', '--deliveries-per-day', '9', '--push-lifetime-ms', '3600000'];
    const app = await cliJson(['apps', 'update', id, ...settings, ...limits, '--intent-host', 'tap.example.com']);
    expect(app).toMatchObject({
      ...{ name: 'New', hybrid: true, clientPush: false, overlong: 'reject', intentHost: 'tap.example.com' },
      limits: { callsPerMinute: 0, deliveriesPerDay: 9, pushLifetimeMs: 3_600_000 },
    });
  });

  it('shows no key when settings change', async () => {
    const { out } = await cli(['apps', 'update', await anApp(), '--name', 'New']);
    expect(out).toContain('New');
    expect(out).not.toMatch(/key:/);
  });

  it('tells why a change is refused', async () => {
    const id = await anApp();
    await cli(['apps', 'update', id, '--hybrid', 'on']);
    const { code, err } = await cli(['apps', 'update', id, '--edition', 'developer']);
    expect(code).toBe(1);
    expect(err).toContain('switch hybrid off first');
  });

  it('replaces a key and prints only the new one', async () => {
    const id = await anApp();
    const { masterKey: old } = await cliJson(['apps', 'show', id]);
    const { out } = await cli(['apps', 'rotate-key', id, 'masterKey']);
    const { masterKey } = await cliJson(['apps', 'show', id]);
    expect(masterKey).not.toBe(old);
    expect(out).toBe(`masterKey: ${String(masterKey)}\n`);
  });

  it('deletes an app', async () => {
    const id = await anApp();
    expect(await cli(['apps', 'delete', id])).toMatchObject({ code: 0, out: `deleted ${id}\n` });
    const { code, err } = await cli(['apps', 'show', id]);
    expect({ code, err }).toEqual({ code: 1, err: `pushfleet: there is no app "${id}" (HTTP 404)\n` });
  });

  it('takes an id as one segment of the address', async () => {
    expect((await cli(['apps', 'show', '../channels'])).err).toContain('there is no app "../channels"');
  });
});

describe('profiles', () => {
  it('saves a profile from a file or from standard input and shows no secret', async () => {
    const app = await anApp();
    const file = join(files, 'mi.json');
    await writeFile(file, JSON.stringify(MI));
    const fromFile = await cli(['profiles', 'put', app, 'mi', '_default', '--file', file]);
    const fromStdin = await cli(['profiles', 'put', app, 'mi', 'beta', '--file', '-'], JSON.stringify(MI));
    for (const { code, out } of [fromFile, fromStdin]) {
      expect(code).toBe(0);
      expect(out).toMatch(/^appSecret: +\*\*\*$/m);
      expect(out).toMatch(/^receiptUrl: +https:\/\/push\.example\.com\/push\/v1\/callback\/mi\//m);
    }
    const { out } = await cli(['profiles', 'list', app]);
    expect(out).toMatch(/^mi +_default +https:/m);
    expect(out).toMatch(/^mi +beta +https:/m);
    expect((await cli(['profiles', 'show', app, 'mi', 'beta'])).out).toBe(fromStdin.out);
  });

  it('lists every violation on a line of its own', async () => {
    const argv = ['profiles', 'put', await anApp(), 'mi', '_default', '--file', '-'];
    const { code, err } = await cli(argv, JSON.stringify({ ...MI, appId: 1, colour: 'red' }));
    expect(code).toBe(1);
    expect(err).toMatch(/HTTP 400.*\n {2}appId: .*\n {2}colour: is not a known field\n$/);
    expect(err).not.toContain('top-secret');
  });

  it('fails when the credentials do not pass the test, and says why', async () => {
    const app = await anApp();
    await cli(['profiles', 'put', app, 'mi', '_default', '--file', '-'], JSON.stringify(MI));
    const { code, out, err } = await cli(['profiles', 'test', app, 'mi', '_default']);
    expect(code).toBe(1);
    expect(out).toMatch(/^ok: +false$/m);
    expect(out).toContain('could not be reached');
    expect(err).toContain('did not pass');
  });

  it('deletes a profile', async () => {
    const app = await anApp();
    await cli(['profiles', 'put', app, 'mi', '_default', '--file', '-'], JSON.stringify(MI));
    expect((await cli(['profiles', 'delete', app, 'mi', '_default'])).code).toBe(0);
    expect((await cli(['profiles', 'show', app, 'mi', '_default'])).code).toBe(1);
  });
});

describe('pushes', () => {
  it('lists none for an app that sent none', async () => {
    const app = await anApp();
    expect(await cliJson(['pushes', 'list', app, '--limit', '5', '--skip', '1'])).toEqual({ results: [] });
    expect((await cli(['pushes', 'list', app])).out).toBe('PUSH  CREATED  STATUS  DEVICES  SUCCESSES\n');
  });

  it('says that there is no such push', async () => {
    const { code, err } = await cli(['pushes', 'show', await anApp(), 'unknown', '--installation', 'x']);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('has no push "unknown"') });
  });
});

describe('channels', () => {
  it('lists both queues of every channel', async () => {
    const { code, out } = await cli(['channels', 'list']);
    expect(code).toBe(0);
    expect(out).toMatch(/^mi +direct +0 +0 +0$/m);
    expect(out).toMatch(/^mi +bulk +0 +0 +0$/m);
  });
});

describe('a wrong token', () => {
  it('is told as such', async () => {
    const env = { ADMIN_TOKEN: 'another', PUSHFLEET_URL: running.url };
    const { code, err } = await runCli(['apps', 'list'], { env });
    expect(code).toBe(1);
    expect(err).toContain('the token was rejected');
    expect(err).not.toContain('another');
  });
});
