import { spawn } from 'node:child_process';
import { ROOT } from './paths.mjs';
import { Problem } from './problem.mjs';

const GRACE_MS = 5000;

/** Signals a process and everything that it started; it must lead a group of its own. */
export function signalGroup(pid, name) {
  try {
    process.kill(-pid, name);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/**
 * Runs a command to its end and gives its exit code and, with `capture`, its output; otherwise its output goes to
 * stderr. A stop ends the command and everything that it started, and rejects; `giveUp` ends it without rejecting.
 */
export async function run(command, args, { lifeline, env = process.env, capture = false, giveUp = lifeline.signal }) {
  lifeline.signal.throwIfAborted();
  const out = capture ? 'pipe' : 2;
  // In a group of its own, a Ctrl-C reaches the command through the lifeline only, and its children with it.
  const child = spawn(command, args, { cwd: ROOT, env, detached: true, stdio: ['ignore', out, out] });
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => chunks.push(chunk));
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });

  const release = endInTime(child, ended, { lifeline, giveUp });
  const code = await ended.finally(release);
  lifeline.signal.throwIfAborted();
  return { code, output: Buffer.concat(chunks).toString() };
}

function endInTime(child, ended, { lifeline, giveUp }) {
  const end = AbortSignal.any([lifeline.signal, giveUp]);
  const kill = () => child.pid && signalGroup(child.pid, 'SIGKILL');
  let timer;
  const stop = () => {
    if (child.pid) signalGroup(child.pid, 'SIGTERM');
    timer = setTimeout(kill, GRACE_MS);
  };
  const close = () => ended.then(() => undefined).catch(() => undefined);
  const forget = lifeline.hold({ close, kill });
  end.addEventListener('abort', stop, { once: true });
  return () => {
    clearTimeout(timer);
    forget();
    end.removeEventListener('abort', stop);
    // What it left behind, if anything, goes with it.
    if (end.aborted) kill();
  };
}

/** The same for a command that must succeed. */
export async function mustRun(command, args, { failure, ...options }) {
  const { code, output } = await run(command, args, options).catch((cause) => {
    if (cause.code !== 'ENOENT') throw cause;
    throw new Problem(`${failure}: there is no ${command} on the PATH`, { cause });
  });
  if (code !== 0) throw new Problem(`${failure} (${command} ${args.join(' ')} left with ${code})`);
  return output;
}
