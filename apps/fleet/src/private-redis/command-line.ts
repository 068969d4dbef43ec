import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** What a process was started as, or calls itself; empty where there is none. */
export async function commandLineOf(pid: number): Promise<string> {
  if (!Number.isSafeInteger(pid) || pid <= 0) return '';
  const line =
    process.platform === 'linux'
      ? readFile(`/proc/${pid}/cmdline`, 'utf8')
      : promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).then(({ stdout }) => stdout);
  return line.catch(() => '');
}
