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
  const masters = mastersOf(redis);
  const nodes = await Promise.all(
    masters.map(async (master) => {
      const seen: Seen[] = [];
      return { master, seen, monitor: await watch(master, (one) => void seen.push(one)) };
    }),
  );
  const names = ({ args }: Seen): boolean => args.some((arg) => arg.includes(namespace));
  return {
    async during(work) {
      // Each node has marks of its own: the lines of one may be read long before those of another.
      const from = await Promise.all(nodes.map(marked));
      await work();
      const to = await Promise.all(nodes.map(marked));
      const sent = nodes.flatMap(({ seen }, i) => seen.slice(from[i], to[i]));
      return sent.filter((one) => one.source !== INSIDE && names(one)).map(({ args }) => (args[0] ?? '').toLowerCase());
    },
    close: () => nodes.forEach(({ monitor }) => monitor.destroy()),
  };
}

/** The place of a mark among what a node was seen to be sent, once all before it has been seen. */
async function marked({ master, seen }: { readonly master: Redis; readonly seen: readonly Seen[] }): Promise<number> {
  const mark = unique('mark');
  await master.echo(mark);
  const place = (): number => seen.findIndex(({ args }) => args[1] === mark);
  await until(() => place() >= 0);
  return place();
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
