import { report } from '../launch/problem.mjs';
import { underLifeline } from '../launch/under-lifeline.mjs';
import { HELP, parseOptions } from './options.mjs';
import { testEverything } from './test-everything.mjs';

/** `npm test`, from the arguments to the exit code. */
export async function main(args, env) {
  try {
    const plan = parseOptions(args, env);
    if (plan) return await underLifeline((lifeline) => testEverything(plan, lifeline));
    process.stdout.write(HELP);
    return 0;
  } catch (error) {
    return report(error);
  }
}
