import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from './document-examples';

export interface End {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `npm run release` of a repository, as npm does. */
export const release = (root: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  new Promise<End>((resolve) => {
    const options = { cwd: root, env: { ...process.env, ...env } };
    execFile(process.execPath, ['scripts/release.mjs', ...args], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const app = (name: string, devDependencies = {}) => ({ name: `@pushfleet/${name}`, version: '0.1.0', devDependencies });
const CLI = { ...app('cli', { jest: '*' }), dependencies: { zod: '*' } };

const WORKSPACES = { 'apps/cli': CLI, 'apps/e2e': app('e2e'), 'packages/console-web': app('console-web') };
const LOCK = {
  ...{ name: 'pushfleet', version: '0.1.0', lockfileVersion: 3 },
  packages: {
    '': { name: 'pushfleet', version: '0.1.0', devDependencies: { jest: '*' } },
    ...WORKSPACES,
    'node_modules/@pushfleet/cli': { resolved: 'apps/cli', link: true },
    'node_modules/@pushfleet/e2e': { resolved: 'apps/e2e', link: true },
    'node_modules/jest': { version: '1.0.0', dev: true },
    'node_modules/zod': { version: '4.0.0', dependencies: { deep: '*' } },
    'node_modules/zod/node_modules/deep': { version: '1.0.0' },
  },
};
export const CHANGELOG = '# Changelog\n\n## Unreleased\n\n### Upgrade notes\n\n- None.\n\n## 0.1.0 – 2026-01-02\n';

const TRACKED = {
  ...Object.fromEntries(Object.entries(WORKSPACES).map(([path, value]) => [`${path}/package.json`, json(value)])),
  'package.json': json({
    name: 'pushfleet',
    version: '0.1.0',
    workspaces: ['apps/*', 'packages/*'],
    scripts: { a: 'b' },
  }),
  'package-lock.json': json(LOCK),
  'tsconfig.json': json({ compilerOptions: { types: [], noEmit: true }, files: ['nothing.ts'] }),
  'nothing.ts': 'export {};\n',
  '.gitignore': 'node_modules/\ndist/\n*.tsbuildinfo\n/release/\n',
  'CHANGELOG.md': CHANGELOG,
  LICENSE: 'free\n',
  'docker-compose.yml': 'services:\n  ingress:\n    image: pushfleet-ingress:0.1.0\n',
  'infra/grafana/dashboards/a.json': '{}\n',
  'infra/prometheus/prometheus.yml': 'global: {}\n',
  'infra/prometheus/rules/a.yml': 'groups: []\n',
  'infra/prometheus/tests/a.test.yml': 'tests: []\n',
  'infra/kubernetes/overlays/production/kustomization.yaml': "images:\n  - { name: a, newTag: '0.1.0' }\n",
  'apps/cli/src/main.ts': 'export {};\n',
  'apps/cli/README.md': 'words\n',
  'packages/console-web/src/main.ts': 'export {};\n',
};
const BUILT = [
  'apps/cli/dist/main.js',
  'apps/cli/dist/main.js.map',
  'apps/e2e/dist/x.js',
  'packages/console-web/dist/index.html',
];
const LATER = new Date(Date.now() + 86_400_000);

/** A small repository of its own, with what `npm run release` reads and writes; it takes its build for new. */
export function makeSite() {
  const root = mkdtempSync(join(tmpdir(), 'pushfleet-release-'));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const path of ['scripts', '.dockerignore', 'infra/docker/Dockerfile'])
    cpSync(join(ROOT, path), join(root, path), { recursive: true });
  for (const [path, text] of Object.entries(TRACKED)) write(path, text);
  for (const path of BUILT) write(path, `${path}\n`);
  write('node_modules/.package-lock.json', '{}');
  mkdirSync(join(root, 'node_modules/.bin'));
  for (const path of ['node_modules/.bin/tsc', 'node_modules/tar']) symlinkSync(join(ROOT, path), join(root, path));
  for (const path of ['node_modules/.package-lock.json', 'packages/console-web/dist/index.html'])
    utimesSync(join(root, path), LATER, LATER);
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
  const git = (...args: readonly string[]): string =>
    execFileSync('git', [...who, ...args], { cwd: root, encoding: 'utf8' });
  const commit = (): void => void [git('add', '-A'), git('commit', '-q', '-m', 'a state')];
  git('init', '-q');
  commit();
  return {
    ...{ root, write, git, commit },
    read: (path: string): string => readFileSync(join(root, path), 'utf8'),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
