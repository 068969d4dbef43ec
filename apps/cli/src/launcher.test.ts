import { spawnSync } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { run } from './run';

const LAUNCHER = join(__dirname, '../bin/pushfleet.cjs');

it('says what to do where nothing was built yet', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'pushfleet-'));
  try {
    const copy = join(dir, 'pushfleet.cjs');
    await copyFile(LAUNCHER, copy);
    const { status, stderr } = spawnSync(process.execPath, [copy, '--help'], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('npm run build') });
  } finally {
    await rm(dir, { recursive: true });
  }
});

it('npm finds it in a clone that was not built', () => {
  const manifest = jest.requireActual<{ bin: { pushfleet: string } }>('../package.json');
  expect(join(__dirname, '..', manifest.bin.pushfleet)).toBe(LAUNCHER);
});

it('tells its version', async () => {
  let out = '';
  const io = { env: {}, writeOut: (text: string) => void (out += text), writeErr: () => undefined };
  const code = await run(['--version'], { ...io, ...unused });
  expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
});

const unused = {
  pipeOut: () => Promise.resolve(),
  isTerminal: false,
  readIn: () => Promise.resolve(''),
  readInPieces: () => Readable.from([]),
  untilInterrupted: () => Promise.resolve(),
};
