import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tool } from '../launch/paths.mjs';
import { say } from '../launch/progress.mjs';
import { run } from '../launch/run-command.mjs';

/** A suite that leaves something open would never end. */
const LEAVE_WITHIN_MS = 15_000;

/** Runs the tests of a suite and counts them: files beside each other, and then those that must be alone. */
export async function runSuite({ projects, files = [], besides = [], workers = '100%', alone }, { env, lifeline }) {
  const left = besides.map((pattern) => `--testPathIgnorePatterns=${pattern}`);
  const beside = await runJest([...projects, `--maxWorkers=${workers}`, ...left, '--', ...files], { env, lifeline });
  if (alone === undefined) return beside;
  const after = await runJest([alone, '--runInBand', ...left], { env, lifeline });
  return { passed: beside.passed + after.passed, failed: beside.failed + after.failed };
}

/** Runs some jest projects; what fails beside the tests counts as one failure more. */
async function runJest(selection, { env, lifeline }) {
  const dir = await mkdtemp(join(tmpdir(), 'pushfleet-test-'));
  const outputFile = join(dir, 'result.json');
  const args = [
    ...['-c', 'packages/tooling/jest.config.cjs', '--passWithNoTests', '--json', `--outputFile=${outputFile}`],
    ...['--selectProjects', ...selection],
  ];
  const patience = afterFile(outputFile);
  try {
    const { code } = await run(tool('jest'), args, { lifeline, env, giveUp: patience.signal });
    return count(code, await readFile(outputFile, 'utf8').catch(() => undefined));
  } finally {
    patience.end();
    await rm(dir, { recursive: true, force: true });
  }
}

/** A signal that fires when its time has passed since the file was written. */
function afterFile(path) {
  const over = new AbortController();
  let seenAt;
  const timer = setInterval(() => {
    if (seenAt === undefined && existsSync(path)) seenAt = Date.now();
    if (seenAt === undefined || Date.now() - seenAt < LEAVE_WITHIN_MS) return;
    clearInterval(timer);
    say('The tests are through, but something that they opened keeps running: ending it. This counts as a failure.');
    over.abort();
  }, 500);
  return { signal: over.signal, end: () => clearInterval(timer) };
}

function count(code, text) {
  if (text === undefined) return { passed: 0, failed: code === 0 ? 0 : 1 };
  const { numPassedTests: passed, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(text);
  const failed = numFailedTests + numRuntimeErrorTestSuites;
  // Set-up, teardown and what is left open fail without a test to blame.
  return { passed, failed: failed === 0 && code !== 0 ? 1 : failed };
}
