import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { takeLock } from './lock.mjs';
import { ROOT } from './paths.mjs';
import { Problem } from './problem.mjs';

const LOCK = 'lock';
const PRIVATE = 0o600;
const UNWRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'EISDIR', 'ENOSPC', 'EDQUOT']);

/** The folder that outlives a run: keys, the demo app, Redis data, logs. Only one launcher at a time may use it. */
export async function openState({ lifeline, fresh, env }) {
  const dir = resolve(ROOT, env.PUSHFLEET_STATE_DIR || '.pushfleet');
  const at = (...parts) => join(dir, ...parts);
  await takeFolder({ dir, lifeline, fresh }).catch((error) => {
    if (!UNWRITABLE.has(error.code)) throw error;
    const message = `${dir}: keys and data cannot be written there (${error.code}); PUSHFLEET_STATE_DIR names another folder`;
    throw new Problem(message, { cause: error });
  });
  return {
    dir,
    at,
    secretKey: await keep(at('SECRET_KEY'), () => randomBytes(32).toString('base64')),
    adminToken: await keep(at('ADMIN_TOKEN'), () => randomBytes(24).toString('base64url')),
    /** In a Redis that is not ours: what another folder's secret key has sealed must not be met under the same keys. */
    guestPrefix: await keep(at('KEY_PREFIX'), () => `pushfleet-demo-${randomBytes(4).toString('hex')}`),
    demoApp: document(at('demo-app.json')),
  };
}

async function takeFolder({ dir, lifeline, fresh }) {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await takeLock(join(dir, LOCK), lifeline);
  if (fresh) await forget(dir);
  for (const folder of ['logs', 'redis']) await mkdir(join(dir, folder), { recursive: true });
}

async function forget(dir) {
  const names = (await readdir(dir)).filter((name) => name !== LOCK);
  await Promise.all(names.map((name) => rm(join(dir, name), { recursive: true, force: true })));
}

const readText = (path) =>
  readFile(path, 'utf8').catch((error) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });

/** The text of a file that is made when it is missing, readable by its owner alone. */
async function keep(path, make) {
  const kept = (await readText(path))?.trim();
  if (kept) {
    await chmod(path, PRIVATE);
    return kept;
  }
  const made = make();
  await writeFile(path, `${made}\n`, { mode: PRIVATE });
  return made;
}

const document = (path) => ({
  path,
  async read() {
    const text = await readText(path);
    return text === undefined ? undefined : JSON.parse(text);
  },
  write: (value) => writeFile(path, `${JSON.stringify(value, null, 2)}\n`, { mode: PRIVATE }),
});
