import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tool } from '../launch/paths.mjs';
import { run } from '../launch/run-command.mjs';

/** Runs some jest projects and counts their tests; a file that could not be run counts as a failure. */
export async function runSuite({ projects, oneByOne }, { env, lifeline }) {
  const dir = await mkdtemp(join(tmpdir(), 'pushfleet-test-'));
  const outputFile = join(dir, 'result.json');
  try {
    const args = [
      ...['-c', 'packages/tooling/jest.config.cjs', '--selectProjects', ...projects],
      ...['--passWithNoTests', '--json', `--outputFile=${outputFile}`, ...(oneByOne ? ['--runInBand'] : [])],
    ];
    const { code } = await run(tool('jest'), args, { lifeline, env });
    return count(code, await readFile(outputFile, 'utf8').catch(() => undefined));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

function count(code, text) {
  if (text === undefined) return { passed: 0, failed: code === 0 ? 0 : 1 };
  const { numPassedTests: passed, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(text);
  const failed = numFailedTests + numRuntimeErrorTestSuites;
  // Set-up and teardown fail without a test to blame.
  return { passed, failed: failed === 0 && code !== 0 ? 1 : failed };
}
