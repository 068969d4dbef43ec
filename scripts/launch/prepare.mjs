import { statSync } from 'node:fs';
import { removeStale } from '../remove-stale.cjs';
import { inRoot, tool } from './paths.mjs';
import { say } from './progress.mjs';
import { mustRun } from './run-command.mjs';

const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** npm writes its own copy of the lockfile when it has installed it. */
const isInstalled = () =>
  changedAt(inRoot('node_modules/.package-lock.json')) >= changedAt(inRoot('package-lock.json'));

/** Installs the dependencies unless they are those of the lockfile. */
export async function installDependencies(lifeline) {
  if (isInstalled()) return;
  say('Installing dependencies (npm ci)');
  await mustRun('npm', ['ci', '--no-audit', '--no-fund'], { lifeline, failure: 'The dependencies were not installed' });
}

/** Compiles what has changed since the last time. */
export async function build(lifeline) {
  say('Building');
  removeStale();
  await mustRun(tool('tsc'), ['--build'], { lifeline, failure: 'The build failed' });
}
