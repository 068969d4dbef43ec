import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { aptInstall, canApt } from '../launch/apt-install.mjs';
import { brewInstall, canBrew } from '../launch/brew-install.mjs';
import { Problem } from '../launch/problem.mjs';

const PROGRAMS = ['prometheus', 'promtool'];
const BY_HAND = {
  linux: 'sudo apt-get update && sudo apt-get install -y --no-install-recommends prometheus',
  darwin: 'brew install prometheus',
};

/** The tests of rules, alerts and dashboards run a real Prometheus; a fleet does without. */
export async function ensurePrometheus(lifeline) {
  if (await areThere()) return;
  const command = BY_HAND[process.platform] ?? BY_HAND.linux;
  const failure = `Prometheus was not installed. By hand: ${command}`;
  if (canApt()) await aptInstall('prometheus', { lifeline, failure });
  else if (await canBrew(lifeline)) await brewInstall('prometheus', { lifeline, failure });
  else throw new Problem(`The tests need Prometheus, with promtool. Install it:\n\n  ${command}`);
  if (!(await areThere())) {
    throw new Problem(`There is still no ${PROGRAMS.join(' and ')} on the PATH after the installation.`);
  }
}

const areThere = async () => (await Promise.all(PROGRAMS.map(isOnPath))).every(Boolean);

async function isOnPath(program) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const found = await Promise.all(
    folders.map((folder) =>
      access(join(folder, program), constants.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}
