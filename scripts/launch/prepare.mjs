import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { removeStale } from '../remove-stale.cjs';
import { inRoot, tool } from './paths.mjs';
import { step } from './progress.mjs';
import { mustRun } from './run-command.mjs';

const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** npm writes its own copy of the lockfile when it has installed it. */
const isInstalled = () =>
  changedAt(inRoot('node_modules/.package-lock.json')) >= changedAt(inRoot('package-lock.json'));

/** A third of all packages: clients, browsers and schemas that nothing but the tests of the whole fleet asks for. */
const TESTS = 'e2e';

const hasTests = () => existsSync(inRoot('node_modules/@pushfleet', TESTS));

/** Installs the dependencies unless they are those of the lockfile; those of tests only where they are wanted, or were there. */
export async function installDependencies(lifeline, { withTests = true } = {}) {
  if (isInstalled() && (!withTests || hasTests())) return;
  const failure = 'The dependencies were not installed';
  const chosen = withTests || hasTests() ? [] : withoutTests();
  await step('Installing dependencies (npm ci; a minute or two the first time)', () =>
    mustRun('npm', ['ci', '--no-audit', '--no-fund', ...chosen], { lifeline, failure }),
  );
}

const withoutTests = () => [
  '--include-workspace-root',
  ...['apps', 'packages'].flatMap((parent) =>
    readdirSync(inRoot(parent))
      .filter((name) => name !== TESTS && existsSync(inRoot(parent, name, 'package.json')))
      .map((name) => `--workspace=${parent}/${name}`),
  ),
];

/** Compiles what has changed since the last time; to check its types, too, takes several times as long. */
export async function build(lifeline, { checksTypes }) {
  removeStale();
  const args = ['--build', ...(checksTypes ? [] : ['--noCheck'])];
  await step('Building what has changed', () => mustRun(tool('tsc'), args, { lifeline, failure: 'The build failed' }));
}

const PAGES = 'packages/console-web';

const newest = (folder) =>
  Math.max(
    ...readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== 'schema.d.ts')
      .map((entry) => changedAt(join(entry.parentPath, entry.name))),
  );

/** Bundles the pages of the console, unless they are newer than what they are made of. The check of their types is for `npm run build`. */
export async function buildPages(lifeline) {
  const made = changedAt(inRoot(PAGES, 'dist/index.html'));
  if (made > newest(inRoot(PAGES, 'src')) && made > changedAt(inRoot('package-lock.json'))) return;
  const args = [inRoot(PAGES, 'build.mjs'), '--no-types'];
  await step('Building the pages of the console', () =>
    mustRun(process.execPath, args, { lifeline, failure: 'The pages of the console were not built' }),
  );
}

/** The same with their types checked. */
export async function checkPages(lifeline) {
  const failure = 'The pages of the console were not built';
  await step('Building the pages of the console', () =>
    mustRun(process.execPath, [inRoot(PAGES, 'build.mjs')], { lifeline, failure }),
  );
}
