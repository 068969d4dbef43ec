import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { simulatorProfiles } from '@pushfleet/channels/simulators';
import { freePort, until } from '@pushfleet/testing';
import { Fleet, type DemoApp } from './fleet';
import { documentExamples, ROOT } from './testing/document-examples';

let fleet: Fleet;
let app: DemoApp;
let folder: string;
let userInfoPort: number;

const MOVED_APP = 'movedApp0123456789012345';
const CLIENT_ID = 'documented-game';

beforeAll(async () => {
  ({ fleet, app } = await Fleet.withApp(['hms', 'own']));
  userInfoPort = await freePort();
  const USER_INFO_PUBLIC_URLS = `http://127.0.0.1:${userInfoPort}`;
  await fleet.run('user-info', { USER_INFO_PORT: String(userInfoPort), USER_INFO_PUBLIC_URLS });
  folder = mkdtempSync(join(tmpdir(), 'documents-'));
  mkdirSync(join(folder, '.pushfleet'));
  writeFileSync(join(folder, '.pushfleet/demo-app.json'), JSON.stringify(app));
  writeFileSync(join(folder, 'hms.json'), JSON.stringify(simulatorProfiles.hms));
  writeFileSync(join(folder, 'password.txt'), 'a password of many letters\n');
  const row = { objectId: 'documented1', installationId: 'documented-1', deviceType: 'android' };
  const date = new Date().toISOString();
  const line = JSON.stringify({ ...row, createdAt: date, updatedAt: date });
  writeFileSync(join(folder, '_Installation.json.gz'), gzipSync(`${line}\n`));
});

afterAll(async () => {
  await fleet.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** What readers put in place of names in capitals, and the addresses of this fleet. */
const filled = (text: string): string =>
  [
    ['http://127.0.0.1:8080', fleet.url('ingress')],
    ['http://127.0.0.1:8083', fleet.url('console')],
    ['8081', String(userInfoPort)],
    ['THE_APP_ID', MOVED_APP],
    ['ANOTHER_APP_ID', app.id],
    ['APP_ID', app.id],
    ['THE APP KEY', 'key-of-the-hosted-app'],
    ['THE MASTER KEY', 'master-key-of-the-hosted-app'],
    ['THE_INTENT_HOSTNAME', 'push.example.com'],
    ['…', fleet.env['ADMIN_TOKEN'] ?? ''],
    // The same program, without npm in between.
    ['npx pushfleet', 'pushfleet'],
  ].reduce((filling, [name = '', value = '']) => filling.replaceAll(name, value), text);

async function run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const path = [join(ROOT, 'node_modules/.bin'), process.env['PATH']].join(delimiter);
  const service = { PUSHFLEET_URL: fleet.url('console'), ADMIN_TOKEN: fleet.env['ADMIN_TOKEN'] ?? '' };
  const options = {
    cwd: folder,
    env: { ...process.env, NODE_PATH: join(ROOT, 'node_modules'), ...service, PATH: path },
  };
  const { stdout } = await promisify(execFile)(program, args, { ...options, env: { ...options.env, ...env } });
  return stdout;
}

const shell = (text: string, env?: Readonly<Record<string, string>>): Promise<string> =>
  run('bash', ['-euo', 'pipefail', '-c', filled(text)], env);

const exampleOf = (page: string, place: number): string => documentExamples.get(page)?.[place] ?? '';

/** A token of its own for each caller, in the names that the examples read. */
async function token(): Promise<Readonly<Record<string, string>>> {
  await fleet.admin('PUT', '/users/documented', { name: 'A', avatar: '', gender: 0, is_guest: false });
  await fleet.admin('PUT', `/clients/${CLIENT_ID}`, { name: 'Game' });
  const made = await fleet.admin<Record<string, string>>('POST', `/users/documented/tokens/${CLIENT_ID}`, {});
  return { TOKEN: made['access_token'] ?? '', KEY: made['mac_key'] ?? '', CLIENT_ID };
}

async function pushAsDocumented(): Promise<string> {
  const answer = JSON.parse(await shell(exampleOf('README.md', 1))) as { objectId: string };
  return answer.objectId;
}

const keysOf = (value: unknown): readonly string[] => Object.keys(value as object).sort();

/** The record of a push to two devices, one of them gone, has what the example shows. */
async function isARecord(text: string): Promise<void> {
  for (const name of ['here-1', 'gone-1']) {
    const device = { installationId: name, deviceType: 'android', vendor: 'HMS', registrationId: name };
    await fleet.call(app, ['POST', '/installations'], device);
  }
  const record = await fleet.done(app, await pushAsDocumented());
  const shown = JSON.parse(text) as typeof record;
  expect(keysOf(record)).toEqual(expect.arrayContaining([...keysOf(shown)]));
  expect(keysOf(record.channels['hms'])).toEqual(keysOf(shown.channels['hms']));
  const { samples, ...error } = shown.errors[0] ?? { samples: [] };
  expect([samples.length, record.errors[0]]).toEqual([1, expect.objectContaining(error)]);
}

const isUserInfo = (answer: string): void => {
  expect(keysOf(JSON.parse(answer))).toEqual(keysOf(JSON.parse(exampleOf('apps/user-info/README.md', 0))));
};

/** Of a file of settings: what every process needs is in it, once. */
async function writesSettings(text: string): Promise<void> {
  await shell(text);
  const settings = readFileSync(join(folder, 'fleet.env'), 'utf8').trimEnd().split('\n');
  expect(settings).toEqual([
    expect.stringMatching(/^REDIS_URL=redis:.+/),
    expect.stringMatching(/^SECRET_KEY=[\w+/]{43}=$/),
    expect.stringMatching(/^ADMIN_TOKEN=\w{48}$/),
  ]);
}

const namesProcesses = async (text: string): Promise<void> => {
  const programs = [...text.matchAll(/node (\S+)/g)].map(([, path = '']) => path);
  expect(programs.length).toBeGreaterThan(5);
  expect(programs.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
};

/** Of an environment file: a process serves with it. */
async function isASetting(text: string): Promise<void> {
  const [name = '', value = ''] = text.trim().split('=');
  await fleet.run('user-info', { [name]: value, USER_INFO_PORT: '0' }, 'documented');
  await fleet.retire('documented');
}

/** What an example is, or why no test runs it. */
type Example = ((text: string) => Promise<unknown>) | { readonly because: string };

const hasPython = (process.env['PATH'] ?? '').split(delimiter).some((place) => existsSync(join(place, 'python3')));
const commands = (text: string): Promise<unknown> => shell(text);

const EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  'README.md': [
    { because: 'start.e2e.test.ts runs npm start, and npm test runs this' },
    async () => fleet.done(app, await pushAsDocumented()),
    async (text) => {
      const id = await pushAsDocumented();
      const helper = exampleOf('README.md', 1).split('\n')[0] ?? '';
      const answer = await until(async () => {
        const record = JSON.parse(await shell(`${helper}\n${text.replace('OBJECT_ID', id)}`)) as { objectId?: string };
        if (record.objectId === undefined) throw new Error('not yet');
        return record;
      });
      expect(answer.objectId).toBe(id);
    },
    isARecord,
    writesSettings,
    namesProcesses,
    { because: 'it needs a Docker engine; compose.test.ts reads the file' },
    commands,
  ],
  'docs/add-a-channel.md': [
    { because: 'new-channel.e2e.test.ts runs it in a copy of the repository' },
    { because: 'new-channel.e2e.test.ts runs the tests of the new folder' },
    { because: 'it writes files of the repository, which tests compare with what would be written' },
    { because: 'it runs the tests of the channels, as npm test does' },
    { because: 'start.e2e.test.ts runs npm start' },
    { because: 'it asks about a channel that is not in the repository' },
  ],
  'docs/console.md': [
    { because: 'it creates the person whom the example of docs/security.md creates' },
    { because: 'it names a provider of sign-ins; the tests of the console sign in at one of their own' },
  ],
  'docs/device.md': [async (text) => expect(JSON.parse(await shell(text))).toHaveProperty('objectId'), commands],
  'docs/messaging.md': [
    ...Array.from({ length: 4 }, () => ({ because: 'messaging.int.test.ts makes these calls' })),
    (text) => {
      const [, setting = ''] = text.split('# ');
      writeFileSync(join(folder, 'offline-push.json'), setting);
      return shell(text);
    },
    commands,
  ],
  'docs/migrate.md': [commands, commands, commands, commands, commands],
  'docs/operate.md': [
    { because: 'operators-drill.fault.test.ts makes the backup' },
    { because: 'operators-drill.fault.test.ts restores it' },
  ],
  'docs/security.md': [commands, commands, commands],
  'docs/senders.md': [
    commands,
    async (text) => {
      // An example of docs/security.md may have closed pushing by the app key.
      const push = { data: { alert: 'x' } };
      const { objectId } = await fleet.callAsServer<{ objectId: string }>(app, ['POST', '/push'], push);
      await fleet.done(app, objectId);
      await shell(text.replaceAll('PUSH_ID', objectId).replaceAll('MASTER_KEY', app.masterKey));
      const [booked, streamed] = ['devices', 'stream'].map((name) =>
        readFileSync(join(folder, `${name}.jsonl`), 'utf8').split('\n'),
      );
      expect(JSON.parse(streamed?.at(-2) ?? '')).toMatchObject({ complete: true, cursor: null });
      expect(streamed?.slice(0, -2)).toEqual(booked?.slice(0, -1));
    },
  ],
  'docs/user-info.md': [commands, isASetting],
  'docs/vendors.md': [
    async (text) => {
      expect(await fleet.callAsServer(app, ['POST', '/push'], JSON.parse(text))).toHaveProperty('objectId');
    },
    (text) =>
      fleet.admin('PUT', `/apps/${app.id}/profiles/hms/_default`, {
        ...simulatorProfiles.hms,
        ...(JSON.parse(text) as object),
      }),
  ],
  'apps/user-info/README.md': [
    async () => isUserInfo(await shell(exampleOf('packages/mac-auth/README.md', 0), await token())),
  ],
  'packages/console-web/README.md': [{ because: 'npm test builds everything before it runs this' }],
  'packages/mac-auth/README.md': [
    async (text) => isUserInfo(await shell(text, await token())),
    async (text) => expect(await run('node', ['-e', filled(text)], await token())).toMatch(/^200 /),
    hasPython
      ? async (text) => isUserInfo(await run('python3', ['-c', filled(text)], await token()))
      : { because: 'there is no Python on this machine' },
  ],
  'packages/store/README.md': [{ because: 'it is the head of a script of the store, whose tests read every script' }],
};

test('every example of every page stands in the list', () => {
  const found = [...documentExamples].map(([page, examples]) => [page, examples.length] as const);
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(Object.entries(EXAMPLES).map(([page, examples]) => [page, examples.length])),
  );
});

test.each(Object.keys(EXAMPLES))('the examples of %s do what the page says', async (page) => {
  for (const [place, example] of (EXAMPLES[page] ?? []).entries())
    if (typeof example === 'function') await example(exampleOf(page, place));
});
