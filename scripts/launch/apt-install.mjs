import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { say } from './progress.mjs';
import { mustRun, run } from './run-command.mjs';

const INSTALL = ['install', '-y', '-qq', '-o', 'Dpkg::Use-Pty=0', '--no-install-recommends'];
const POLICY = '/usr/sbin/policy-rc.d';

/** Whether apt-get would ask no questions. */
export const canApt = () => process.platform === 'linux' && process.getuid() === 0 && existsSync('/usr/bin/apt-get');

/** The programs of a package, without the system service of the same name that comes with it: it would hold a port. */
export async function aptInstall(name, { lifeline, failure }) {
  say(`There is no ${name} on this machine: installing it (apt-get install ${name})`);
  await withoutServices(name, lifeline, async () => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    for (const args of [
      ['update', '-qq'],
      [...INSTALL, name],
    ]) {
      await mustRun('apt-get', args, { lifeline, env, failure });
    }
  });
}

async function withoutServices(name, lifeline, install) {
  const isOurs = !existsSync(POLICY);
  if (isOurs) await writeFile(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    await install();
  } finally {
    if (isOurs) await rm(POLICY, { force: true });
  }
  if (!existsSync('/run/systemd/system')) return;
  const { code } = await run('systemctl', ['disable', name], { lifeline, capture: true });
  if (code !== 0) say(`The service ${name} of the package could not be disabled; it may start with the machine.`);
}
