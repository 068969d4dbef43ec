import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startRedisServer, type RedisServer } from '@pushfleet/testing';
import { variablesIn } from './testing/env-file';
import { FREE_PORTS, PATH, PUSHFLEET, runServe, serve } from './testing/serving';

let redis: RedisServer;
let folder: string;

beforeAll(async () => {
  redis = await startRedisServer();
  folder = mkdtempSync(join(tmpdir(), 'pushfleet-serve-'));
});

afterAll(async () => {
  await redis.close();
  rmSync(folder, { recursive: true });
});

const run = (args: readonly string[]) => runServe(args, { env: { PATH }, cwd: folder });

test('--init writes settings that serve, tells three commands, and never touches a file that is there', async () => {
  const made = run(['--init', 'fleet.env']);
  expect(made).toMatchObject({ status: 0, stderr: '' });
  expect(made.stdout.split('\n').filter((line) => line.startsWith('  '))).toEqual([
    expect.stringContaining(join(folder, 'fleet.env')),
    '  npx pushfleet serve',
    expect.stringContaining('npx pushfleet apps create'),
  ]);
  const file = join(folder, 'fleet.env');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const text = readFileSync(file, 'utf8');
  expect(run(['--init', 'fleet.env'])).toMatchObject({
    ...{ status: 1, stdout: '' },
    stderr: 'pushfleet serve: --init: fleet.env is there already and was left as it is; name another file\n',
  });
  expect(readFileSync(file, 'utf8')).toBe(text);

  const written = Object.fromEntries(variablesIn(text));
  expect(written).toMatchObject({ INGRESS_PORT: '8080', GATEWAY_PORT: '8080' });
  const port = String(await freePort());
  const ports = { ...FREE_PORTS, INGRESS_PORT: port, GATEWAY_PORT: port };
  const env: Record<string, string> = { PATH, ...written, ...ports, REDIS_URL: redis.url };
  const { told, lines, end } = await serve([], env);
  expect(told).toMatchObject({ ok: true, pid: expect.any(Number) });
  expect(Object.keys(told.urls).sort()).toEqual(['console', 'gateway', 'ingress', 'metrics', 'userInfo']);
  expect(told.urls).toMatchObject({ ingress: `http://127.0.0.1:${port}`, gateway: `ws://127.0.0.1:${port}` });
  const answer = await fetch(`${told.urls['console'] ?? ''}/api/v1/apps`, {
    headers: { authorization: `Bearer ${env['ADMIN_TOKEN'] ?? ''}` },
  });
  expect(answer.status).toBe(200);
  expect(await end('SIGTERM')).toBe(0);
  expect(lines).toHaveLength(1);
});

test('--init where it cannot write, and what is no option, are told in one line', () => {
  expect(run(['--init', 'nowhere/fleet.env'])).toMatchObject({
    ...{ status: 1, stdout: '' },
    stderr: 'pushfleet serve: --init: nowhere/fleet.env cannot be written: its folder is not there; make it first\n',
  });
  const { status, stderr } = run(['--jason']);
  expect({ status, lines: stderr.trim().split('\n') }).toEqual({
    status: 2,
    lines: [expect.stringContaining("Unknown option '--jason'")],
  });
});

test('without settings it says all that is missing and where settings come from, and leaves with 1', () => {
  const { status, stderr } = run([]);
  expect(status).toBe(1);
  const lines = stderr.trim().split('\n');
  expect(lines.slice(0, -1).map((line) => line.split(':')[0])).toEqual(['REDIS_URL', 'SECRET_KEY', 'ADMIN_TOKEN']);
  expect(lines.at(-1)).toMatch(/^pushfleet serve: settings are missing: .*set -a; .* serve --init pushfleet\.env$/);
});

test('the command line tool lists it, and --help tells its options', () => {
  const help = spawnSync(process.execPath, [PUSHFLEET, '--help'], { encoding: 'utf8', env: { PATH } });
  expect(help.stdout).toMatch(/^ {2}serve\b/m);
  expect(run(['--help'])).toMatchObject({ status: 0, stdout: expect.stringContaining('--init FILE') });
});
