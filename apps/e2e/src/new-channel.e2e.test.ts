import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');
const BEARER = 'acme';
const HEADER = 'v2apex';
const folderOf = (name: string): string => `packages/channels/src/${name}`;

interface End {
  readonly code: number;
  readonly output: string;
}

let site: string;

/** What `new-channel` reads and writes, and who names channels, in a place of its own; other packages are those of this repository. */
beforeAll(() => {
  site = mkdtempSync(join(tmpdir(), 'pushfleet-new-channel-'));
  const isSource = (path: string): boolean => !/\/(dist|node_modules)$/.test(path);
  for (const path of ['scripts', 'packages/tooling', 'packages/testing', 'packages/channels', 'apps'])
    cpSync(join(ROOT, path), join(site, path), { recursive: true, filter: isSource });
  symlinkSync(join(ROOT, 'node_modules'), join(site, 'node_modules'));
  symlinkSync(join(ROOT, 'apps/e2e/node_modules'), join(site, 'apps/e2e/node_modules'));
  writeFileSync(join(site, 'tsconfig.json'), JSON.stringify(tsconfig()));
});
afterAll(() => rmSync(site, { recursive: true, force: true }));

/** The channels of this place, and all code of apps that knows them by name. */
const tsconfig = () => ({
  extends: './packages/tooling/tsconfig.base.json',
  compilerOptions: {
    ...{ noEmit: true, composite: false, incremental: false, declaration: false, types: ['node', 'jest'] },
    paths: {
      '@pushfleet/channels': ['./packages/channels/src/index.ts'],
      '@pushfleet/channels/simulators': ['./packages/channels/src/registry-simulators.ts'],
    },
  },
  include: ['packages/channels/src', ...namersOfChannels()],
});

const namersOfChannels = (): readonly string[] =>
  readdirSync(join(site, 'apps'), { recursive: true, encoding: 'utf8' })
    .map((file) => `apps/${file}`)
    .filter((path) => path.endsWith('.ts') && /\bChannelName\b/.test(readFileSync(join(site, path), 'utf8')));

function run(...command: readonly string[]): Promise<End> {
  return new Promise((resolve) => {
    execFile(process.execPath, command, { cwd: site }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: `${stdout}${stderr}` }),
    );
  });
}

const complaintOf = ({ code, output }: End): string => (code === 0 ? '' : output);

const tool = (path: string): string => join(ROOT, 'node_modules', path);
const newChannel = (...args: readonly string[]): Promise<End> => run('scripts/new-channel.mjs', ...args);
const registry = (): string => readFileSync(join(site, 'packages/channels/src/registry-channels.ts'), 'utf8');

test.each([
  ['Acme', 'is no name for a channel'],
  ['a', 'is no name for a channel'],
  ['../acme', 'is no name for a channel'],
  ['own', 'means something else here'],
  ['class', 'is a word of the language'],
  ['hms', 'is there already'],
])('the name %s is refused in one line, and nothing is written', async (name, words) => {
  const before = registry();
  const { code, output } = await newChannel(name);
  expect({ code, lines: output.trim().split('\n').length }).toEqual({ code: 1, lines: 1 });
  expect(output).toContain(words);
  expect(registry()).toBe(before);
});

test.each([[[]], [['acme', 'v2apex']], [['--nope']], [['acme', '--session', 'pigeon']]])(
  'called with %j it tells how it is called',
  async (args) => {
    const { code, output } = await newChannel(...args);
    expect(code).toBe(2);
    expect(output).toContain('npm run new-channel NAME');
  },
);

test('a new channel is a folder and one line; it type-checks, is clean, and its tests and its contract pass', async () => {
  const lines = registry().split('\n').length;
  const written = [await newChannel(BEARER), await newChannel(HEADER, '--session', 'header')];
  for (const [i, name] of [BEARER, HEADER].entries())
    expect(written[i]).toMatchObject({ code: 0, output: expect.stringContaining(`${folderOf(name)}/index.ts`) });
  expect(written[0]?.output).toMatch(/ 2\. edit the folder, [\s\S]* 5\. npm start /);
  expect(registry().split('\n')).toHaveLength(lines + 2);
  const folders = [BEARER, HEADER].map(folderOf);
  const jest = ['-c', 'packages/tooling/jest.config.cjs', '--selectProjects', 'unit', 'contract', '--runInBand'];
  const checks: readonly (readonly string[])[] = [
    [tool('typescript/bin/tsc'), '-p', 'tsconfig.json'],
    [tool('prettier/bin/prettier.cjs'), '--config', 'packages/tooling/prettier.json', '--check', ...folders],
    [tool('eslint/bin/eslint.js'), '-c', 'packages/tooling/eslint.config.mjs', ...folders],
    [tool('jest/bin/jest.js'), ...jest, '--', ...folders],
    [tool('jest/bin/jest.js'), ...jest, '-t', ` (${BEARER}|${HEADER})`, '--', 'registry.contract'],
  ];
  for (const check of checks) expect(complaintOf(await run(...check))).toBe('');
}, 300_000);
