import { Cluster, Redis } from 'ioredis';

/** Connects to a single Redis, or to the cluster that one of its nodes belongs to. */
export async function connectTestRedis(url: string): Promise<Redis | Cluster> {
  const options = { lazyConnect: true };
  const redis = new Redis(url, options);
  await redis.connect();
  if (!(await redis.info('cluster')).includes('cluster_enabled:1')) return redis;
  redis.disconnect();
  const { hostname, port, searchParams } = new URL(url);
  const connectionName = searchParams.get('connectionName') ?? '';
  const cluster = new Cluster([{ host: hostname, port: Number(port) }], {
    ...options,
    redisOptions: { connectionName },
  });
  await cluster.connect();
  return cluster;
}

/** The nodes that hold keys, for commands that know only one node. */
export const mastersOf = (redis: Redis | Cluster): readonly Redis[] =>
  redis instanceof Cluster ? redis.nodes('master') : [redis];
