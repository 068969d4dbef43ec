import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, until } from '@pushfleet/testing';
import { commandLineOf } from './command-line';
import { findRedisServer } from './find-redis-server';
import { endFormerRedis, pidFileIn } from './former-redis';
import { runRedis } from './run-redis';

const never = new AbortController().signal;
const log = { error: () => undefined, info: () => undefined };

let dir: string;
beforeEach(() => void (dir = realpathSync(mkdtempSync(join(tmpdir(), 'pushfleet-former-')))));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** A Redis whose process was killed: nobody starts it again. */
async function aFormer(folder = dir): Promise<number> {
  const { path: binary = '' } = await findRedisServer(process.env['PATH']);
  const forgotten = new AbortController();
  const port = await freePort();
  await runRedis({ binary, dir: folder, port, maxMemory: '50mb', log, stopping: forgotten.signal });
  forgotten.abort();
  return Number(readFileSync(pidFileIn(folder), 'utf8'));
}

const isGone = async (pid: number): Promise<boolean> => (await commandLineOf(pid)) === '';

test('the Redis that a killed process left is ended, and a folder without one is free', async () => {
  await endFormerRedis(dir, never);
  const pid = await aFormer();
  await endFormerRedis(dir, never);
  expect(await isGone(pid)).toBe(true);
  await endFormerRedis(dir, never);
});

test('one that does not leave is known to the next start, whatever ended this one', async () => {
  const pid = await aFormer();
  process.kill(pid, 'SIGSTOP');
  const stopping = new AbortController();
  const ending = endFormerRedis(dir, stopping.signal);
  stopping.abort(new Error('told to stop'));
  await expect(ending).rejects.toThrow('told to stop');
  process.kill(pid, 'SIGCONT');
  await endFormerRedis(dir, never);
  expect(await isGone(pid)).toBe(true);
});

test('what has the number of a former Redis by now is left alone', async () => {
  const other = realpathSync(mkdtempSync(join(tmpdir(), 'pushfleet-other-')));
  const pid = await aFormer(other);
  for (const number of [pid, process.pid, 2 ** 22 + 1, 'nonsense']) {
    writeFileSync(pidFileIn(dir), `${number}\n`);
    await endFormerRedis(dir, never);
  }
  expect(await isGone(pid)).toBe(false);
  await endFormerRedis(other, never);
  await until(() => isGone(pid));
  rmSync(other, { recursive: true });
});
