import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { until } from '@pushfleet/testing';

const TESTING = require.resolve('../../../packages/testing/dist/index.js');

/** A Redis of its own, and a program that the end of its input does not end. */
const PROGRAM = `
  const { startRedisProcess, endWithProcess } = require(${JSON.stringify(TESTING)});
  const child = require('node:child_process').spawn('sleep', ['600']);
  endWithProcess(child);
  startRedisProcess().then(({ dir, url }) => console.log(JSON.stringify({ dir, url, pid: child.pid })));`;

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const answers = (url: string): Promise<boolean> =>
  fetch(url.replace('redis:', 'http:')).then(
    () => true,
    // Redis ends a connection on which somebody speaks HTTP.
    ({ cause }: { cause?: { code?: string } }) => cause?.code !== 'ECONNREFUSED',
  );

test.each(['SIGKILL', 'SIGINT'] as const)(
  'whoever is ended by %s leaves neither a process nor a folder',
  async (signal) => {
    const owner = spawn(process.execPath, ['-e', PROGRAM], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(createInterface({ input: owner.stdout }), 'line')) as [string];
    const { dir, url, pid } = JSON.parse(line) as { dir: string; url: string; pid: number };
    expect([existsSync(dir), await answers(url), isAlive(pid)]).toEqual([true, true, true]);
    owner.kill(signal);
    await once(owner, 'exit');
    const left = async () => ({ folder: existsSync(dir), child: isAlive(pid), redis: await answers(url) });
    await until(async () => {
      expect(await left()).toEqual({ folder: false, child: false, redis: false });
      return true;
    });
  },
);
