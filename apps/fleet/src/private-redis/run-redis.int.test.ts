import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@pushfleet/testing';
import { findRedisServer } from './find-redis-server';
import { runRedis } from './run-redis';

let dir: string;
beforeEach(() => void (dir = mkdtempSync(join(tmpdir(), 'pushfleet-run-redis-'))));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const start = async (binary: string, maxMemory = '50mb') =>
  runRedis({
    ...{ binary, dir, maxMemory, port: await freePort() },
    ...{ log: { error: () => undefined, info: () => undefined }, stopping: new AbortController().signal },
  });

test('a Redis that does not start is told with its own last words', async () => {
  const { path = '' } = await findRedisServer(process.env['PATH']);
  writeFileSync(join(dir, 'appendonlydir'), 'a file in its place');
  await expect(start(path)).rejects.toThrow(
    /^--redis-dir: Redis does not start in .*: .*appendonlydir.* \(.*redis\.log\)$/,
  );
});

test('one that dies without a word is not told with what an earlier one wrote', async () => {
  await expect(start('/bin/false')).rejects.toThrow(/: it wrote no log; look whether the disk is full \(/);
  writeFileSync(join(dir, 'redis.log'), '1:M 01 Jan 2026 00:00:00.000 # Redis is now ready to exit, bye bye...\n');
  await expect(start('/bin/false')).rejects.toThrow(/: it wrote no log; look whether the disk is full \(/);
});
