import { mkdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ConfigError } from '@pushfleet/service-kit';
import { commandLineOf } from './command-line';

/** By which a process that holds a folder is told from another that has its number now. */
export const REDIS_DIR_OPTION = '--redis-dir';

const HOLDER = 'holder';

export interface HeldFolder {
  /** As Redis calls it. */
  readonly dir: string;
  release(): void;
}

/** Makes the folder, and takes it for this process and its Redis. Throws a `ConfigError` where it cannot. */
export async function holdFolder(named: string): Promise<HeldFolder> {
  const line = `${process.pid}\n`;
  try {
    makeFolder(resolve(named));
    const dir = realpathSync(named);
    const file = join(dir, HOLDER);
    const release = (): void => rmSync(file, { force: true });
    if (writeNew(file, line)) return { dir, release };
    const holder = Number.parseInt(readFileSync(file, 'utf8'), 10);
    if (await holdsFolder(holder))
      throw new ConfigError([
        `${REDIS_DIR_OPTION}: ${dir} is that of process ${holder}, which runs; stop it, or name another folder (${file} is its mark)`,
      ]);
    writeFileSync(file, line);
    return { dir, release };
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (cause instanceof ConfigError || code === undefined) throw cause;
    throw new ConfigError([`${REDIS_DIR_OPTION}: ${named} cannot be written (${code}); name another folder`], {
      cause,
    });
  }
}

/** `recursive` of Node 20 tries without end where a file system answers ENOENT for whatever is made in it, as /proc does. */
function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** False where there is one. */
function writeNew(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** After a crash the number may have gone to some other process. */
async function holdsFolder(pid: number): Promise<boolean> {
  return pid !== process.pid && (await commandLineOf(pid)).includes(REDIS_DIR_OPTION);
}
