import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { Problem } from './problem.mjs';
import { say } from './progress.mjs';
import { mustRun, run } from './run-command.mjs';

const APT_COMMANDS = [
  ['update', '-qq'],
  ['install', '-y', '-qq', '-o', 'Dpkg::Use-Pty=0', '--no-install-recommends', 'redis-server'],
];
const BY_HAND = {
  linux: 'sudo apt-get update && sudo apt-get install -y --no-install-recommends redis-server',
  darwin: 'brew install redis',
};
const POLICY = '/usr/sbin/policy-rc.d';

/** Installs Redis where that needs no questions asked; otherwise says how. */
export async function installRedis(lifeline) {
  if (process.platform === 'linux' && process.getuid() === 0 && existsSync('/usr/bin/apt-get')) {
    return withoutServices(lifeline, () => aptInstall(lifeline));
  }
  if (process.platform === 'darwin' && (await hasBrew(lifeline))) {
    say('There is no Redis on this machine: installing it (brew install redis)');
    return void (await mustRun('brew', ['install', 'redis'], { lifeline, failure: 'Redis was not installed' }));
  }
  const command = BY_HAND[process.platform] ?? BY_HAND.linux;
  throw new Problem(`pushfleet needs Redis 7 or later. Install it:\n\n  ${command}\n\nor name one in REDIS_URL.`);
}

async function aptInstall(lifeline) {
  say('There is no Redis on this machine: installing it (apt-get install redis-server)');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of APT_COMMANDS) {
    await mustRun('apt-get', args, { lifeline, env, failure: `Redis was not installed. By hand: ${BY_HAND.linux}` });
  }
}

/** The program is wanted, not the system service that comes with the package: it would hold port 6379. */
async function withoutServices(lifeline, install) {
  const isOurs = !existsSync(POLICY);
  if (isOurs) await writeFile(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    await install();
  } finally {
    if (isOurs) await rm(POLICY, { force: true });
  }
  if (!existsSync('/run/systemd/system')) return;
  const { code } = await run('systemctl', ['disable', 'redis-server'], { lifeline, capture: true });
  if (code !== 0) say('The service redis-server of the package could not be disabled; it may start with the machine.');
}

const hasBrew = (lifeline) =>
  run('brew', ['--version'], { lifeline, capture: true }).then(
    ({ code }) => code === 0,
    () => false,
  );
