import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Problem } from './problem.mjs';

/** Writes our process id into a file that must not belong to another launcher that still runs. */
export async function takeLock(path, lifeline) {
  await writeFile(path, `${process.pid}\n`, { flag: 'wx' }).catch(async (error) => {
    if (error.code !== 'EEXIST') throw error;
    const holder = Number.parseInt(await readFile(path, 'utf8'), 10);
    if (await isLauncher(holder)) throw new Problem(occupied(path, holder));
    await writeFile(path, `${process.pid}\n`);
  });
  const release = () => rmSync(path, { force: true });
  lifeline.hold({ close: release, kill: release });
}

const occupied = (path, holder) =>
  `npm start runs already in this folder (process ${holder}). Stop it with Ctrl-C there, or:\n\n  kill ${holder}\n\n` +
  `(${path} belongs to it.)`;

/** After a crash the number may have gone to some other process. */
async function isLauncher(pid) {
  if (!(pid > 0) || pid === process.pid) return false;
  const commandLine =
    process.platform === 'linux'
      ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      : await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).then(
          ({ stdout }) => stdout,
          () => '',
        );
  return commandLine.includes('start.mjs');
}
