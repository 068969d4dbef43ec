import { toldBacklog, type Backlogs } from './backlog';
import { type Throughput } from './throughput';

const IDLE = { pushes: 0, devices: 0, waiting: [] };

/** What every channel did and what it has left. */
export function statsOf({ at, results }: Throughput, { channels, isComplete: complete }: Backlogs) {
  const decided = new Map(results.map((done) => [done.channel, done.decided]));
  const left = new Map(channels.map((backlog) => [backlog.channel, toldBacklog(backlog)]));
  const names = [...new Set([...decided.keys(), ...left.keys()])].sort();
  return {
    at,
    complete,
    results: names.map((channel) => ({ channel, decided: decided.get(channel) ?? 0, ...IDLE, ...left.get(channel) })),
  };
}
