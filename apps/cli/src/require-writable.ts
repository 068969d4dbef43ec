import { constants, type Stats } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemCode } from './errors';

/**
 * Looks at a file that is there, or else at the folder that it would be made in; rejects with the system's reason.
 * Resolves with what is there.
 */
export async function requireWritable(path: string): Promise<Stats | undefined> {
  const there = await stat(path).catch((error: unknown) => {
    if (systemCode(error) !== 'ENOENT') throw error;
    return undefined;
  });
  if (there?.isDirectory() === true) throw Object.assign(new Error(`${path} is a directory`), { code: 'EISDIR' });
  await access(there ? path : dirname(path), constants.W_OK);
  return there;
}
