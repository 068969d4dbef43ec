import { Cluster, type RedisOptions } from 'ioredis';
import { SLOTS_MISSING } from './redis-away';

/** A busy process or node must not make a cluster look gone. */
const SLOTS_TIMEOUT_MS = 5000;

/** A certificate names a node as the operator does: the client library would look the name up and ask for its address. */
const AS_NAMED = {
  dnsLookup: (name: string, done: (error: null, name: string) => void): void => done(null, name),
};

export async function openCluster(
  urls: readonly string[],
  options: RedisOptions,
  onError: (error: Error) => void,
): Promise<Cluster> {
  const nodes = urls.map((url) => new URL(url));
  const { username, password } = nodes[0] ?? new URL('redis://127.0.0.1');
  const cluster = new Cluster(
    nodes.map(({ hostname, port }) => ({ host: hostname, port: Number(port || 6379) })),
    {
      lazyConnect: true,
      slotsRefreshTimeout: SLOTS_TIMEOUT_MS,
      enableOfflineQueue: options.enableOfflineQueue ?? true,
      ...(options.tls === undefined ? {} : AS_NAMED),
      redisOptions: {
        ...options,
        ...(username ? { username: decodeURIComponent(username) } : {}),
        ...(password ? { password: decodeURIComponent(password) } : {}),
      },
    },
  );
  cluster.on('error', onError);
  await connectCluster(cluster);
  return cluster;
}

/** `connect` of ioredis 6.0 never settles when the nodes answer but do not serve all slots. */
async function connectCluster(cluster: Cluster): Promise<void> {
  const incomplete = new Promise<never>((_resolve, reject) => {
    const notReady = new Error(SLOTS_MISSING);
    cluster.once('connect', () => cluster.once('close', () => reject(notReady)));
  });
  try {
    await Promise.race([cluster.connect(), incomplete]);
  } catch (error) {
    cluster.disconnect();
    throw error;
  }
}
