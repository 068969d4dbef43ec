import { Redis } from 'ioredis';
import { freePort } from './free-port';
import { startRedisProcess, type RedisServer, type RedisServerOptions } from './redis-server';
import { until } from './until';

const MASTERS = 3;
const SLOTS = 16_384;

export interface RedisCluster extends RedisServer {
  /** Its masters, none of which has a replica. */
  readonly nodes: readonly RedisServer[];
}

/** Three masters on loopback that share the slots: what one of them suffers, all suffer, unless it is asked of a node. */
export async function startRedisCluster(options: RedisServerOptions = {}): Promise<RedisCluster> {
  const nodes: RedisServer[] = [];
  const close = async (): Promise<void> => void (await Promise.all(nodes.map((node) => node.close())));
  try {
    while (nodes.length < MASTERS) nodes.push(await startNode(options));
    await joinNodes(nodes);
  } catch (error) {
    await close();
    throw error;
  }
  const all = (work: (node: RedisServer) => Promise<void>) => async (): Promise<void> => {
    await Promise.all(nodes.map(work));
  };
  const cluster = {
    nodes,
    url: nodes[0]?.url ?? '',
    async start() {
      await all((node) => node.start())();
      await allReady(nodes);
    },
    stop: all((node) => node.stop()),
    kill: all((node) => node.kill()),
    async restart(how: 'stop' | 'kill' = 'stop') {
      await cluster[how]();
      await cluster.start();
    },
    hang: () => nodes.forEach((node) => node.hang()),
    goOn: () => nodes.forEach((node) => node.goOn()),
    close,
  };
  return cluster;
}

/** The port of the masters' own talk would be out of range for many a free port. */
async function startNode({ args = [] }: RedisServerOptions): Promise<RedisServer> {
  const bus = ['--cluster-port', String(await freePort()), '--cluster-node-timeout', '5000'];
  return startRedisProcess({ args: [...args, '--cluster-enabled', 'yes', ...bus] });
}

async function joinNodes(nodes: readonly RedisServer[]): Promise<void> {
  const first = nodes[0];
  if (!first) return;
  for (const [i, node] of nodes.entries()) {
    const range = [Math.floor((SLOTS * i) / MASTERS), Math.floor((SLOTS * (i + 1)) / MASTERS) - 1];
    await ask(node, ['ADDSLOTSRANGE', ...range.map(String)]);
    await ask(node, ['SET-CONFIG-EPOCH', String(i + 1)]);
  }
  for (const node of nodes.slice(1)) {
    const { hostname, port } = new URL(node.url);
    await ask(first, ['MEET', hostname, port, await busPortOf(node)]);
  }
  await allReady(nodes);
}

async function busPortOf(node: RedisServer): Promise<string> {
  const redis = new Redis(node.url);
  try {
    return String(((await redis.config('GET', 'cluster-port')) as string[])[1]);
  } finally {
    redis.disconnect();
  }
}

async function allReady(nodes: readonly RedisServer[]): Promise<void> {
  const isReady = async (node: RedisServer): Promise<boolean> => {
    const info = String(await ask(node, ['INFO']));
    return info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${MASTERS}`);
  };
  await until(async () => (await Promise.all(nodes.map(isReady))).every(Boolean), { timeoutMs: 30_000 });
}

async function ask({ url }: RedisServer, [command = '', ...args]: readonly string[]): Promise<unknown> {
  const redis = new Redis(url);
  try {
    return await redis.call('CLUSTER', command, ...args);
  } finally {
    redis.disconnect();
  }
}
