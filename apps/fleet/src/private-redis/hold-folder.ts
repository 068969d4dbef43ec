import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
    mkdirSync(named, { recursive: true, mode: 0o700 });
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
