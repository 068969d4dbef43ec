import { existsSync } from 'node:fs';
import { PACKAGE, chromiumPath } from './chromium.cjs';
import { aptInstall, canApt } from '../launch/apt-install.mjs';
import { Problem } from '../launch/problem.mjs';

const COMMAND = `sudo apt-get update && sudo apt-get install -y --no-install-recommends ${PACKAGE}`;

/** The tests of the pages of the console run a real browser; a fleet does without. */
export async function ensureChromium(lifeline) {
  if (existsSync(chromiumPath())) return;
  const byHand = `Install it, or name one in PUSHFLEET_CHROMIUM:\n\n  ${COMMAND}`;
  if (!canApt()) throw new Problem(`The tests of the console need Chromium. ${byHand}`);
  await aptInstall(PACKAGE, { lifeline, failure: `Chromium was not installed. ${byHand}` });
  const program = chromiumPath();
  if (!existsSync(program)) throw new Problem(`There is still no ${program} after the installation. ${byHand}`);
}
