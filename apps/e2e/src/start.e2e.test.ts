import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { connectTestRedis, startRedisServer } from '@pushfleet/testing';
import { ROOT } from './testing/document-examples';
import { npmStart, requireInstalled } from './testing/npm-start';
import { withTakenPort } from './testing/taken-port';

const COLUMNS = 80;
const TIMEOUT_MS = 240_000;

let folder: string;

beforeAll(() => {
  requireInstalled();
  folder = mkdtempSync(join(tmpdir(), 'pushfleet-start-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const start = (args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) =>
  npmStart(args, { PUSHFLEET_STATE_DIR: folder, ...env });

const stateOf = <T>(name: string): T => JSON.parse(readFileSync(join(folder, name), 'utf8')) as T;
const demoApp = () =>
  stateOf<{ readonly id: string; readonly key: string; readonly masterKey: string }>('demo-app.json');
const addressOf = (out: string, about: string): string =>
  new RegExp(`^  ${about} +(\\S+)$`, 'm').exec(out)?.[1] ?? `no address of ${about}`;

const booksIn = (out: string): readonly string[] =>
  out.split('\n\n').filter((part) => /^ +channel +devices +accepted +discarded +failed$/m.test(part));

test(
  'npm start shows its steps, two records, five addresses and three commands, and keeps the rest in files',
  async () => {
    const fleet = start();
    try {
      const { out, err } = await fleet.started();
      await isShownWell(out, err);
      await isAtWork(out);
    } finally {
      await fleet.stop();
    }
    const { code, err } = await fleet.left;
    expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining('does not stop') });
  },
  TIMEOUT_MS,
);

async function isShownWell(out: string, err: string): Promise<void> {
  const steps = err.trimEnd().split('\n');
  expect(steps.filter((line) => !/^ *\d+ s […✓] \S/.test(line))).toEqual([]);
  expect(steps.filter((line) => line.includes('✓') && !/\(\d+\.\d s\)$/.test(line))).toEqual([]);
  expect([...out.split('\n'), ...steps].filter((line) => [...line].length > COLUMNS)).toEqual([]);
  // Neither is a terminal.
  expect(out + err).not.toContain('\u001B');
  expect(booksIn(out)).toHaveLength(2);
  expect(out).toMatch(/^✓ Notification push \w+: done$/m);
  expect(out).toMatch(/^✓ Silent push \w+: done$/m);
  const addresses = [
    'console',
    'push API, /docs',
    'user information, /docs',
    'WebSockets of devices',
    'simulated vendors',
  ];
  for (const about of addresses) expect(addressOf(out, about)).toMatch(/^(http|ws):\/\/127\.0\.0\.1:\d+$/);
  expect(out.match(/^ {2}\S.* {2}\w+:\/\/127\.0\.0\.1:\d+$/gm)).toHaveLength(addresses.length);
  const commands = ['curl http', 'npx pushfleet doctor', 'npx pushfleet pushes list'];
  expect(commands.filter((command) => out.split(command).length !== 2)).toEqual([]);
  expect(out).toMatch(/^To run it for real: npx pushfleet serve --init \S+ \(docs\/operate\.md\)$/m);
  for (const secret of [demoApp().masterKey, readFileSync(join(folder, 'ADMIN_TOKEN'), 'utf8').trim()])
    expect(out + err).not.toContain(secret);
  const targets = stateOf<readonly { targets: readonly string[] }[]>('targets.json');
  for (const { targets: found } of targets) expect((await fetch(`http://${found.join()}/readyz`)).status).toBe(200);
}

async function isAtWork(out: string): Promise<void> {
  for (const about of ['push API, /docs', 'user information, /docs']) {
    const answer = await fetch(addressOf(out, about), { redirect: 'manual' });
    expect([about, answer.status, answer.headers.get('location')]).toEqual([about, 302, 'docs']);
    expect((await fetch(addressOf(out, about))).headers.get('content-type')).toContain('text/html');
  }
  const { id, masterKey } = demoApp();
  const [, pushId = ''] = /Notification push (\w+)/.exec(out) ?? [];
  const record = await fetch(`${addressOf(out, 'push API, /docs')}/1.1/notifications/${pushId}`, {
    headers: { 'x-lc-id': id, 'x-lc-key': `${masterKey},master` },
  });
  expect(await record.json()).toMatchObject({ status: 'done', hmsSuccesses: 1 });
}

test(
  'a second start over the same folder has the same app, and says what it does not use',
  async () => {
    const before = demoApp();
    const { code, out, err } = await start(['--once', '--json'], { SECRET_KEY: 'of somebody else' }).left;
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('which has its own: SECRET_KEY\n') });
    const { app, pushes } = JSON.parse(out) as { app: object; pushes: readonly { status: string }[] };
    expect([app, demoApp()]).toEqual([expect.objectContaining({ id: before.id }), before]);
    expect(pushes.map(({ status }) => status)).toEqual(['done', 'done']);
  },
  TIMEOUT_MS,
);

test(
  'all ports that somebody has are told at once, before anything is built',
  () =>
    withTakenPort(async (port) => {
      const { code, err } = await start([], { INGRESS_PORT: port, CONSOLE_PORT: port }).left;
      expect(code).toBe(1);
      for (const name of ['INGRESS_PORT', 'CONSOLE_PORT'])
        expect(err).toContain(`${name}: port ${port} is already in use`);
      expect(err).not.toContain('Building');
    }),
  TIMEOUT_MS,
);

test(
  'the address of a vendor is refused and not passed over',
  async () => {
    const { code, err } = await start([], { HMS_AUTH_URL: 'https://vendor.example.com' }).left;
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining('HMS_AUTH_URL: npm start sends to simulated'),
    });
    expect(existsSync(join(folder, 'lock'))).toBe(false);
  },
  TIMEOUT_MS,
);

test('a folder that cannot be written is told in one line, before anything is built', async () => {
  const file = join(folder, 'a-file');
  writeFileSync(file, '');
  for (const [path, code] of [
    [file, 'EEXIST'],
    [join(file, 'state'), 'ENOTDIR'],
  ] as const) {
    const { code: exit, out, err } = await start([], { PUSHFLEET_STATE_DIR: path }).left;
    const told = `${path}: keys and data cannot be written there (${code}); PUSHFLEET_STATE_DIR names another folder`;
    expect({ exit, out, err: err.trim() }).toEqual({ exit: 1, out: '', err: told });
  }
});

test(
  'a REDIS_URL that is none, and a Redis that wants a password, are told in the words of the services',
  async () => {
    const redis = await startRedisServer();
    const direct = await connectTestRedis(redis.url);
    try {
      await direct.config('SET', 'requirepass', 'sesame');
      const host = redis.url.replace('redis://', '');
      for (const [REDIS_URL, told] of [
        [host, 'REDIS_URL: must be redis:// or rediss:// URLs'],
        [redis.url, `REDIS_URL: Redis at ${host} cannot be used: it wants a password, and the address has none`],
        [
          `redis://:wrong@${host}`,
          `REDIS_URL: Redis at ${host} cannot be used: it refuses the user name or the password`,
        ],
        ['redis://127.0.0.1:1', 'REDIS_URL: this Redis cannot be reached (connect ECONNREFUSED 127.0.0.1:1)'],
      ] as const) {
        const { code, err } = await start(['--once'], { REDIS_URL }).left;
        expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(`\n${told}`) });
        expect(err).not.toContain('Starting');
      }
    } finally {
      direct.disconnect();
      await redis.close();
    }
  },
  TIMEOUT_MS,
);

test('a flag that npm kept for itself is told, before anything is built', async () => {
  const { code, out, err } = await start([], { npm_config_once: 'true' }).left;
  expect([code, out, err.trim()]).toEqual([2, '', 'npm kept --once for itself. Write: npm start -- --once']);
});

test('colours are for terminals that want them', async () => {
  const module = pathToFileURL(join(ROOT, 'scripts/launch/progress.mjs')).href;
  const program = `const { coloured } = await import(${JSON.stringify(module)});
    process.stdout.write(coloured({ isTTY: process.argv[1] === 'tty' }, 'green', 'text'));`;
  const shown = (stream: string, NO_COLOR: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const args = ['--input-type=module', '-e', program, stream];
      execFile(process.execPath, args, { env: { NO_COLOR } }, (error, out) => (error ? reject(error) : resolve(out)));
    });
  const all = await Promise.all([shown('tty', ''), shown('tty', '1'), shown('file', '')]);
  expect(all).toEqual(['\u001B[32mtext\u001B[0m', 'text', 'text']);
});
