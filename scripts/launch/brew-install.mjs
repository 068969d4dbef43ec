import { say } from './progress.mjs';
import { mustRun, run } from './run-command.mjs';

export const canBrew = async (lifeline) => process.platform === 'darwin' && (await hasBrew(lifeline));

export async function brewInstall(name, { lifeline, failure }) {
  say(`There is no ${name} on this machine: installing it (brew install ${name})`);
  await mustRun('brew', ['install', name], { lifeline, failure });
}

const hasBrew = (lifeline) =>
  run('brew', ['--version'], { lifeline, capture: true }).then(
    ({ code }) => code === 0,
    () => false,
  );
