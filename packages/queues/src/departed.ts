import { Cluster, type Redis } from 'ioredis';

/** The name of a connection, by which others see whether its process lives; undefined where it has none. */
export const nameOf = (redis: Redis | Cluster): string | undefined =>
  (redis instanceof Cluster ? redis.options.redisOptions?.connectionName : redis.options.connectionName) || undefined;

/** Whoever was connected for less may have come back before others did, as after an outage of Redis. */
const SETTLED_S = 3;

/**
 * The names of the living connections of the masters that this process talks to: the system closes those of a killed process,
 * and leaves those of a stopped or a busy one. Undefined where nobody can be called dead: this process is not in the lists
 * itself, as behind a proxy, or has not been for long.
 */
export async function livingNames(redis: Redis | Cluster): Promise<ReadonlySet<string> | undefined> {
  const self = nameOf(redis);
  const nodes = redis instanceof Cluster ? redis.nodes('master').filter(({ status }) => status === 'ready') : [redis];
  const lists = await Promise.all(
    nodes.map(async (node) =>
      String(await node.client('LIST'))
        .split('\n')
        .map(seen),
    ),
  );
  const isSettled = lists.every((list) => list.some(({ name, ageS }) => name === self && ageS >= SETTLED_S));
  if (self === undefined || lists.length === 0 || !isSettled) return undefined;
  return new Set(lists.flat().map(({ name }) => name));
}

const seen = (line: string): { readonly name: string; readonly ageS: number } => ({
  name: /(?:^| )name=(\S*)/.exec(line)?.[1] ?? '',
  ageS: Number(/(?:^| )age=(\d+)/.exec(line)?.[1] ?? 0),
});
