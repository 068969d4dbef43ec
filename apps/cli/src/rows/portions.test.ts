import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createGzip } from 'node:zlib';
import { portionsOf } from './portions';
import { readRows } from './read-rows';

const MEGABYTE = 1024 * 1024;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pushfleet-portions-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** Long rows: few of them fill a portion. */
const CUSTOM = 'x'.repeat(4000);

function* lines(count: number): Generator<string> {
  for (let n = 0; n < count; n += 1)
    yield `${JSON.stringify({ objectId: `o${n}`, installationId: `installation-${n}`, custom: CUSTOM })}\n`;
}

async function exportOf(count: number): Promise<string> {
  const path = join(folder, `${count}.jsonl.gz`);
  await pipeline(Readable.from(lines(count)), createGzip({ level: 1 }), createWriteStream(path));
  return path;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** The most that was held after a portion, beyond what was held before. */
async function heldAtMost(path: string): Promise<number> {
  const held = (): number => {
    // A thread of its own gives the bytes of dead buffers back, and the next collection waits for it.
    collectGarbage();
    collectGarbage();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const before = held();
  let most = 0;
  for await (const { sound } of portionsOf(readRows({ path, onRead: () => undefined }))) {
    expect(sound.length).toBeGreaterThan(0);
    most = Math.max(most, held() - before);
  }
  return most;
}

it('holds no more of a long file than of a short one', async () => {
  const [short, long] = [await exportOf(2500), await exportOf(10_000)];
  await heldAtMost(short);
  const ofShort = await heldAtMost(short);
  expect((await heldAtMost(long)) - ofShort).toBeLessThan(4 * MEGABYTE);
});
