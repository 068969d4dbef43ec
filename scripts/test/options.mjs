import { flagsOf, refuseKeptByNpm } from '../launch/flags.mjs';
import { Problem } from '../launch/problem.mjs';
import { PLANS } from './suites.mjs';

export const HELP = `Usage: npm test [-- FLAG]

Builds, checks and runs every test on one Redis. The last line says how many passed and failed.

  --quick    build, unit and contract tests only: no Redis, no processes (npm run test:quick)
  --cluster  build, then what Redis serves, on a cluster of three masters (npm run test:cluster)
  --compact  build, then end to end and faults with all roles in one process (npm run test:compact)
  --ci       everything on one Redis, a process for each role, and on a cluster what differs there
  --all      everything, on one Redis and then on a cluster, and in one process
  --help     show this

Environment: FAULT_ROUNDS (20) is how many processes the fault tests kill in all, FAULT_SEED repeats their moments.
`;

const PLANNED = ['quick', 'cluster', 'compact', 'ci', 'all'];
/** The others are settings of npm, too. */
const OWN = ['quick', 'cluster', 'compact'];

/** What is to be run; undefined when somebody asks for help. */
export function parseOptions(args, env) {
  refuseKeptByNpm(env, { names: OWN, command: 'npm test' });
  const flags = flagsOf(args, { names: [...PLANNED, 'help'], help: HELP });
  if (flags.help) return undefined;
  const asked = PLANNED.filter((name) => flags[name]);
  if (asked.length > 1) throw new Problem(`One of --${asked.join(' and --')} at a time.\n\n${HELP}`, { exitCode: 2 });
  return PLANS[asked[0] ?? 'usual'];
}
