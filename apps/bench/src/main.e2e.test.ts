import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@pushfleet/testing';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bench-test-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Files that it writes aside stand in a folder of their own. */
function start(...args: readonly string[]) {
  const child = spawn(process.execPath, [join(__dirname, '../dist/main.js'), ...args], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk) => (said.out += String(chunk)));
  child.stderr.on('data', (chunk) => (said.err += String(chunk)));
  const left = once(child, 'close').then(([code]) => code as number | null);
  return { child, said, left };
}

/** All processes that descend from this one, as the system lists them. */
async function descendantsOf(pid: number): Promise<readonly number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const children = text.trim().split(' ').filter(Boolean).map(Number);
  return [...children, ...(await Promise.all(children.map(descendantsOf))).flat()];
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const pidOf = ({ pid }: ChildProcess): number => pid ?? NaN;

const commandOf = (pid: number): Promise<string> => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');

/** A benchmark starts a fleet, registers four apps in turn and warms it up before its command runs: a minute on a busy machine. */
const STARTED_WITHIN_MS = 150_000;

describe('an interrupted benchmark', () => {
  it.each([
    ['SIGTERM', 'redis-server', ['fanout']],
    ['SIGTERM', 'echo-server.js', ['ingress', '--size', '1000000']],
    ['SIGINT', 'installations', ['import', '--size', '2000']],
    ['SIGTERM', 'devices', ['gateway', '--size', '200']],
  ] as const)('by %s, once %s runs, leaves with 1 and nothing stays', async (signal, word, args) => {
    const { child, said, left } = start(...args);
    const started = await until(
      async () => {
        const pids = await descendantsOf(pidOf(child));
        const commands = await Promise.all(pids.map(commandOf));
        return commands.some((command) => command.includes(word)) ? pids : undefined;
      },
      { timeoutMs: STARTED_WITHIN_MS },
    );
    child.kill(signal);
    expect({ code: await left, out: said.out }).toEqual({ code: 1, out: '' });
    expect(said.err).toContain(`interrupted by ${signal}`);
    await until(() => !started.some(isAlive));
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('options that cannot be', () => {
  it.each([
    [['fanout', '--size', '999'], '--size: must be a whole number from 1000 to 2000000 for fanout'],
    [['latency', '--size', '1001'], '--size: must be a whole number from 1 to 1000 for latency'],
    [['ingress', '--size', '1e3'], '--size: must be a whole number from 1 to 2000000 for ingress'],
    [['one-device', '--set', 'MAX_BATCH=10'], '--set: one-device decides MAX_BATCH itself'],
    [['ingress', '--set', 'REDIS_URL=redis://127.0.0.1:1'], '--set: ingress decides REDIS_URL itself'],
    [['ingress', '--set', 'HMS_PUSH_URL=http://127.0.0.1:1'], '--set: ingress decides HMS_PUSH_URL itself'],
  ])('%j are refused before anything is started', async (args, words) => {
    const { said, left } = start(...args);
    expect(await left).toBe(1);
    expect(said.err).toContain(words);
    expect(said.out).toBe('');
    expect(await readdir(folder)).toEqual([]);
  });

  it('one name is measured at a time', async () => {
    const { said, left } = start('ingress', 'latency', '--size', '1');
    expect({ code: await left, out: said.out }).toEqual({ code: 2, out: '' });
    expect(said.err).toContain('npm run bench -- NAME');
  });
});
