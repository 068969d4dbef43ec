import { readFileSync } from 'node:fs';

/** Files that a process may have open at most, connections among them; Node raises its own limit up to here. */
export function openFileLimit(): number {
  const [, limit = ''] = /Max open files\s+\S+\s+(\S+)/.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return limit === 'unlimited' ? Infinity : Number(limit);
}
