import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Cluster, Redis } from 'ioredis';
import { mastersOf } from './connect-test-redis';
import { until } from './until';
import { unique } from './builders';

/** Watches what is sent to Redis about some keys. */
export interface CommandCount {
  /** The commands of some work, by name; a script is one, whatever it does. */
  during(work: () => Promise<unknown>): Promise<readonly string[]>;
  close(): void;
}

interface Seen {
  readonly source: string;
  readonly args: readonly string[];
}

/** The source of commands that scripts send, where others have an address. */
const INSIDE = 'lua';

/** Counts the commands of all clients about keys in a namespace. */
export async function countCommands(redis: Redis | Cluster, namespace: string): Promise<CommandCount> {
  const seen: Seen[] = [];
  const masters = mastersOf(redis);
  const monitors = await Promise.all(masters.map((master) => watch(master, (one) => void seen.push(one))));
  /** Resolves when every command that was sent before has been seen. */
  const marked = async (): Promise<number> => {
    const mark = unique('mark');
    await Promise.all(masters.map((master) => master.echo(mark)));
    const marks = () => seen.filter(({ args }) => args[1] === mark);
    await until(() => marks().length === masters.length);
    return seen.findIndex(({ args }) => args[1] === mark);
  };
  return {
    async during(work) {
      const from = await marked();
      await work();
      const to = await marked();
      const names = ({ args }: Seen): boolean => args.some((arg) => arg.includes(namespace));
      const sent = seen.slice(from, to).filter((one) => one.source !== INSIDE && names(one));
      return sent.map(({ args }) => (args[0] ?? '').toLowerCase());
    },
    close: () => monitors.forEach((monitor) => monitor.destroy()),
  };
}

/**
 * MONITOR on a connection of its own: where others send a lot, ioredis reads the first lines before it knows that they are no
 * answers, and fails.
 */
async function watch(
  { options: { host = '127.0.0.1', port = 6379 } }: Redis,
  tell: (one: Seen) => void,
): Promise<Socket> {
  const socket = connect(port, host);
  const lines = createInterface({ input: socket });
  const begun = new Promise((resolve, reject) => {
    lines.once('line', resolve);
    socket.once('error', reject);
  });
  lines.on('line', (line) => {
    const seen = seenIn(line);
    if (seen) tell(seen);
  });
  socket.write('MONITOR\r\n');
  await begun;
  return socket;
}

/** A line is `+time [database source] "command" "argument" …`, with escapes inside the quotation marks. */
function seenIn(line: string): Seen | undefined {
  const source = /^\+[\d.]+ \[\d+ ([^\]]+)\] /.exec(line)?.[1];
  if (source === undefined) return undefined;
  return { source, args: [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, arg = '']) => arg) };
}
