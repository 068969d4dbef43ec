import { runChecks } from './check/run-checks.mjs';
import { installDependencies } from './launch/prepare.mjs';
import { underLifeline } from './launch/under-lifeline.mjs';

process.exit(
  await underLifeline(async (lifeline) => {
    await installDependencies(lifeline);
    const { failed } = await runChecks(lifeline);
    return failed === 0 ? 0 : 1;
  }),
);
