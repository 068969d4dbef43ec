import type { Cluster, Redis } from 'ioredis';
import { mastersOf } from './connect-test-redis';
import { until } from './until';
import { unique } from './builders';

/** Watches what some connections send to Redis. */
export interface CommandCount {
  /** The commands of some work, by name; those inside a script are not told. */
  during(work: () => Promise<unknown>): Promise<readonly string[]>;
  close(): void;
}

/** Of connections whose name has the text in it and that are open now. */
export async function countCommands(redis: Redis | Cluster, name: string): Promise<CommandCount> {
  const seen: { readonly source: string; readonly args: readonly string[] }[] = [];
  const masters = mastersOf(redis);
  const monitors = await Promise.all(masters.map((master) => master.monitor()));
  for (const monitor of monitors)
    monitor.on('monitor', (_time: string, args: string[], source: string) => seen.push({ source, args }));
  const sources = new Set((await Promise.all(masters.map((master) => addressesOf(master, name)))).flat());
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
      const sent = seen.slice(from, to).filter(({ source }) => sources.has(source));
      return sent.map(({ args }) => (args[0] ?? '').toLowerCase()).filter((command) => command !== 'echo');
    },
    close: () => monitors.forEach((monitor) => monitor.disconnect()),
  };
}

async function addressesOf(master: Redis, name: string): Promise<readonly string[]> {
  const clients = String(await master.client('LIST')).split('\n');
  return clients.filter((client) => client.includes(name)).map((client) => /addr=(\S+)/.exec(client)?.[1] ?? '');
}
