import { runChecks } from '../check/run-checks.mjs';
import { build, checkPages, installDependencies } from '../launch/prepare.mjs';
import { Problem, report } from '../launch/problem.mjs';
import { say } from '../launch/progress.mjs';
import { ensureRedisBinary } from '../launch/redis-binary.mjs';
import { table } from '../launch/table.mjs';
import { ensureChromium } from './ensure-chromium.mjs';
import { ensurePrometheus } from './ensure-prometheus.mjs';
import { runSuite } from './run-suite.mjs';
import { withRedisOnPath } from './redis-on-path.mjs';

/** Builds, checks and tests; what fails does not keep the rest from running. Gives the exit code. */
export async function testEverything({ checks, suites }, lifeline) {
  await installDependencies(lifeline);
  // Neither asks for the other, and the compiler keeps but one processor busy.
  const results = await Promise.all([
    timed('build', () => built(lifeline, { checksTypes: !checks })),
    ...(checks ? [timed('check', () => runChecks(lifeline))] : []),
  ]);
  const needed = suites.some(({ needsServers }) => needsServers);
  const { env, remove } = needed ? await withServers(lifeline) : { env: process.env, remove: () => undefined };
  try {
    for (const suite of suites) {
      results.push(await timed(suite.name, () => runSuite(suite, { env: { ...env, ...suite.env }, lifeline })));
    }
  } finally {
    await remove();
  }
  return summarise(results);
}

async function withServers(lifeline) {
  const binary = await ensureRedisBinary(lifeline);
  await ensurePrometheus(lifeline);
  await ensureChromium(lifeline);
  return withRedisOnPath(binary);
}

/** Most tests read the sources, so that they can tell more about a build that failed. */
async function built(lifeline, options) {
  try {
    await build(lifeline, options);
    await checkPages(lifeline);
    return { passed: 1, failed: 0 };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    report(error);
    return { passed: 0, failed: 1 };
  }
}

async function timed(name, work) {
  say(`\n${name}`);
  const startedAt = Date.now();
  const tally = await work();
  return { name, ...tally, seconds: ((Date.now() - startedAt) / 1000).toFixed(1) };
}

function summarise(results) {
  const rows = results.map(({ name, passed, failed, seconds }) => [name, `${passed}`, `${failed}`, `${seconds} s`]);
  process.stdout.write(`\n${table([['suite', 'passed', 'failed', 'time'], ...rows])}\n`);
  const total = (key) => results.reduce((sum, result) => sum + result[key], 0);
  process.stdout.write(`\n${total('passed')} passed, ${total('failed')} failed\n`);
  return total('failed') === 0 ? 0 : 1;
}
