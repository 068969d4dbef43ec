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

/** What scripts do has this in the place of an address. */
const INSIDE = 'lua';

/** Of everybody, about keys in a namespace. */
export async function countCommands(redis: Redis | Cluster, namespace: string): Promise<CommandCount> {
  const seen: Seen[] = [];
  const masters = mastersOf(redis);
  const monitors = await Promise.all(masters.map((master) => master.monitor()));
  for (const monitor of monitors)
    monitor.on('monitor', (_time: string, args: string[], source: string) => seen.push({ source, args }));
  /** What was sent before it is seen by then. */
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
    close: () => monitors.forEach((monitor) => monitor.disconnect()),
  };
}
