import { existsSync } from 'node:fs';
import { aptInstall, canApt } from '../launch/apt-install.mjs';
import { Problem } from '../launch/problem.mjs';

/** As the tests of the console start it; `PUSHFLEET_CHROMIUM` names another. */
const PROGRAM = process.env.PUSHFLEET_CHROMIUM || '/usr/bin/chromium';
const COMMAND = 'sudo apt-get update && sudo apt-get install -y --no-install-recommends chromium';

/** The tests of the pages of the console run a real browser; a fleet does without. */
export async function ensureChromium(lifeline) {
  if (existsSync(PROGRAM)) return;
  const byHand = `Install it, or name one in PUSHFLEET_CHROMIUM:\n\n  ${COMMAND}`;
  if (!canApt()) throw new Problem(`The tests of the console need Chromium. ${byHand}`);
  await aptInstall('chromium', { lifeline, failure: `Chromium was not installed. ${byHand}` });
  if (!existsSync(PROGRAM)) throw new Problem(`There is still no ${PROGRAM} after the installation. ${byHand}`);
}
