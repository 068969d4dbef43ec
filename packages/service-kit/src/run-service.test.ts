import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { transformSync } from '@swc/core';

const root = join(__dirname, '../../..');
let kit: string;

const compile = (file: string): void => {
  const { code } = transformSync(readFileSync(join(__dirname, file), 'utf8'), {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
  });
  writeFileSync(join(kit, `${basename(file, '.ts')}.js`), code);
};

beforeAll(() => {
  // Inside node_modules, so that the compiled files find their dependencies.
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  kit = mkdtempSync(join(cache, 'run-service-'));
  readdirSync(__dirname)
    .filter((file) => /^[^.]+\.ts$/.test(file))
    .forEach(compile);
});
afterAll(() => rmSync(kit, { recursive: true, force: true }));

interface Ending {
  readonly code: number | null;
  /** What the service said, without its `ready`. */
  readonly said: string[];
  readonly stderr: string;
  readonly messages: unknown[];
}

interface Run {
  readonly child: ChildProcess;
  readonly ready: Promise<void>;
  readonly ended: Promise<Ending>;
}

function run(scenario: string): Run {
  const child = spawn(process.execPath, [join(__dirname, 'testing/service.cjs'), kit, scenario], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let stdout = '';
  let stderr = '';
  const messages: unknown[] = [];
  child.on('message', (message) => messages.push(message));
  child.stderr?.on('data', (chunk) => (stderr += chunk));
  const ready = new Promise<void>((resolve) => {
    child.stdout?.on('data', (chunk) => {
      stdout += chunk;
      if (stdout.includes('ready')) resolve();
    });
  });
  // `close` does not come after a disconnect by this side.
  const streams = [child.stdout, child.stderr].map((stream) => stream && once(stream, 'end'));
  const ended = Promise.all([once(child, 'exit'), ...streams]).then(([[code]]) => ({
    code: code as number | null,
    said: stdout.split('\n').filter((line) => line !== '' && line !== 'ready'),
    stderr,
    messages,
  }));
  return { child, ready, ended };
}

async function runAndStop(scenario: string, signal: NodeJS.Signals = 'SIGTERM'): Promise<Ending> {
  const { child, ready, ended } = run(scenario);
  await ready;
  child.kill(signal);
  return ended;
}

const CLEAN = ['stopping true cutoff false', 'close second', 'close first'];

describe('stopping', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('%s stops, closes last opened first and exits 0', async (signal) => {
    expect(await runAndStop('clean', signal)).toMatchObject({ code: 0, said: CLEAN });
  });

  it('follows a launcher that is gone', async () => {
    const { child, ready, ended } = run('clean');
    await ready;
    child.disconnect();
    expect(await ended).toMatchObject({ code: 0, said: CLEAN });
  });

  it('continues past a close that fails, logs it and exits 1', async () => {
    const ending = await runAndStop('failingClose');
    expect(ending).toMatchObject({ code: 1, said: ['close second', 'close first'] });
    expect(ending.stderr).toContain('third is stuck');
  });

  it('cuts work off only after the grace for draining', async () => {
    expect(await runAndStop('slowDrain')).toMatchObject({ code: 0, said: ['drained with cutoff false', 'cut off'] });
  });

  it('waits as long as a service says that it drains', async () => {
    expect(await runAndStop('longDrain')).toMatchObject({ code: 0, said: ['drained with cutoff false'] });
  });

  it('exits 1 at the deadline when a close never ends', async () => {
    const ending = await runAndStop('stuck');
    expect(ending.code).toBe(1);
    expect(ending.stderr).toContain('still open at the deadline');
  });

  it('exits 1 at once on a second signal', async () => {
    const { child, ready, ended } = run('patient');
    await ready;
    child.kill('SIGTERM');
    child.kill('SIGINT');
    expect((await ended).code).toBe(1);
  });

  it('a launcher that goes after its own signal is no second signal', async () => {
    const { child, ready, ended } = run('slowDrain');
    await ready;
    child.kill('SIGTERM');
    child.disconnect();
    expect(await ended).toMatchObject({ code: 0, said: ['drained with cutoff false', 'cut off'] });
  });
});

describe('starting', () => {
  it('tells its launcher where it is ready', async () => {
    const { messages } = await runAndStop('clean');
    expect(messages).toEqual([{ ready: true, urls: { ingress: 'http://127.0.0.1:1' } }]);
  });

  it('closes what it opened when it fails, and exits 1', async () => {
    const ending = await run('failedStart').ended;
    expect(ending).toMatchObject({ code: 1, said: ['close second', 'close first'] });
    expect(ending.stderr).toContain('no Redis here');
  });

  it('prints every configuration error as a plain line and exits 1', async () => {
    const ending = await run('badConfig').ended;
    expect(ending).toMatchObject({ code: 1, said: ['close second', 'close first'] });
    expect(ending.stderr).toMatch(/^REDIS_URL: is required\nSECRET_KEY: is required\n/);
    expect(ending.stderr).not.toContain('stack');
  });

  it('a signal during the start closes what is open and exits 0', async () => {
    const ending = await runAndStop('signalDuringStart');
    expect(ending).toMatchObject({ code: 0, said: ['close second', 'close first'] });
    expect(ending.stderr).not.toContain('closed under the start');
  });
});

describe('a signal before all is open', () => {
  it('closes nothing under what is still opened', async () => {
    const ending = await runAndStop('signalWhileOpening');
    expect(ending).toMatchObject({ code: 0, said: ['opened', 'close watch', 'close redis'] });
  });

  it('waits for three seconds and no longer', async () => {
    expect(await runAndStop('signalDuringEndlessStart')).toMatchObject({
      code: 0,
      said: ['close second', 'close first'],
    });
  });
});

describe('loading', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    '%s is heard afterwards: nothing is opened, and it exits 0',
    async (signal) => {
      expect(await runAndStop('signalWhileLoading', signal)).toMatchObject({ code: 0, said: [] });
    },
  );

  it('a launcher that leaves is noticed afterwards', async () => {
    const { child, ready, ended } = run('signalWhileLoading');
    await ready;
    child.disconnect();
    expect(await ended).toMatchObject({ code: 0, said: [] });
  });
});

describe('running', () => {
  it.each([
    ['exception', 'a bug'],
    ['rejection', 'a forgotten promise'],
  ])('an uncaught %s is logged and exits 1', async (scenario, words) => {
    const ending = await run(scenario).ended;
    expect(ending.code).toBe(1);
    expect(ending.stderr).toContain(words);
  });
});
