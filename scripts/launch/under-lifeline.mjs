import { openLifeline, Stopped } from './lifeline.mjs';
import { report } from './problem.mjs';

export const INTERRUPTED = 130;

/** Runs to an exit code and closes whatever was opened; a problem and a signal have exit codes too. */
export async function underLifeline(work, interrupted = INTERRUPTED) {
  const lifeline = openLifeline();
  try {
    return await work(lifeline);
  } catch (error) {
    if (error instanceof Stopped || lifeline.signal.aborted) return interrupted;
    return report(error);
  } finally {
    await lifeline.close();
  }
}
