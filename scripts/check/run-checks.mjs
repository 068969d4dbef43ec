import { availableParallelism } from 'node:os';
import { inRoot, tool } from '../launch/paths.mjs';
import { say } from '../launch/progress.mjs';
import { run } from '../launch/run-command.mjs';
import { luaCheck } from './lua.mjs';

const TOOLING = 'packages/tooling';
const CODE = ['apps', 'packages'];

/** What it has found right it does not lay out again, wherever the clock of a file stands. */
const CACHED = ['--cache', '--cache-strategy', 'content', '--cache-location', 'node_modules/.cache/pushfleet-format'];

/** A tenth less than with room for few young objects. */
const ROOMY = '--max-semi-space-size=64';

/** The longest first: they decide when the last one ends. */
const CHECKS = [
  ['types+lint', process.execPath, [ROOMY, inRoot('scripts/check/types-and-lint.mjs')]],
  ['format', tool('prettier'), ['--config', `${TOOLING}/prettier.json`, ...CACHED, '--check', ...CODE, 'scripts']],
  ['boundaries', tool('depcruise'), ['--config', `${TOOLING}/dependency-cruiser.cjs`, ...CODE]],
  ['unused', tool('knip'), ['--config', `${TOOLING}/knip.json`, '--no-progress', '--no-config-hints']],
  ['structure', process.execPath, [inRoot('scripts/check-structure.mjs')]],
];

/** Runs every check, as many at a time as there are processors, and says how many passed and failed. */
export async function runChecks(lifeline) {
  const lua = luaCheck();
  if (lua.length === 0) say('  lua         skipped: there is no luacheck on the PATH (Debian: lua-check)');
  const waiting = [...CHECKS, ...lua];
  const tally = { passed: 0, failed: 0 };
  const worker = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      tally[(await isOk(check, lifeline)) ? 'passed' : 'failed'] += 1;
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return tally;
}

async function isOk([name, command, args], lifeline) {
  const { code, output } = await run(command, args, { lifeline, capture: true });
  say(`  ${name.padEnd(10)}  ${code === 0 ? 'ok' : 'failed'}`);
  if (code !== 0) say(`\n${output.trim().replaceAll(/^/gm, '    ')}\n`);
  return code === 0;
}
