import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Tests start Redis by this name; a machine may have it under another, or an older one before it. */
const NAME = 'redis-server';

export async function withRedisOnPath(binary) {
  const dir = await mkdtemp(join(tmpdir(), 'pushfleet-bin-'));
  await symlink(binary, join(dir, NAME));
  return {
    env: { ...process.env, PATH: `${dir}${delimiter}${process.env.PATH ?? ''}` },
    remove: () => rm(dir, { recursive: true, force: true }),
  };
}
