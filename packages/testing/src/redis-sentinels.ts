import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { startRedisProcess, type RedisServer } from './redis-server';
import { until } from './until';

const MASTER = 'main';
const SENTINELS = 3;
const QUORUM = 2;
/** A vote that failed is held again after twice as long. */
const VOTE_MS = 3000;

export interface SentinelsOptions {
  /** How long a master must be silent until a sentinel calls it down. */
  readonly downAfterMs?: number;
  /** More lines of the configuration of every sentinel. */
  readonly lines?: readonly string[];
  /** More arguments of master and replica. */
  readonly args?: readonly string[];
}

/** A master, a replica of it, and sentinels that make the replica the master when it is gone. */
export interface RedisSentinels extends RedisServer {
  /** The master first. */
  readonly nodes: readonly [RedisServer, RedisServer];
  readonly sentinels: readonly RedisServer[];
  /** The URL of the node that the sentinels name. */
  master(): Promise<string>;
}

/** On loopback. As a `RedisServer`, it is its first master: that one is killed, stopped and held. */
export async function startRedisSentinels(options: SentinelsOptions = {}): Promise<RedisSentinels> {
  const { args = [] } = options;
  const servers: RedisServer[] = [];
  const close = async (): Promise<void> => void (await Promise.all(servers.map((server) => server.close())));
  const start = async (...given: Parameters<typeof startRedisProcess>): Promise<RedisServer> => {
    const server = await startRedisProcess(...given);
    servers.unshift(server);
    return server;
  };
  try {
    const first = await start({ args });
    const replica = await start({ args: ['--replicaof', ...addressOf(first), ...args] });
    const settings = sentinelSettings(first, options);
    const sentinels: RedisServer[] = [];
    while (sentinels.length < SENTINELS) sentinels.push(await start({ settings }));
    await until(async () => (await Promise.all(sentinels.map(knowsAll))).every(Boolean), { timeoutMs: 60_000 });
    return {
      ...{ nodes: [first, replica], sentinels, close },
      url: `redis+sentinel://${sentinels.map((sentinel) => addressOf(sentinel).join(':')).join(',')}/${MASTER}`,
      master: () => masterOf(sentinels),
      start: () => first.start(),
      stop: () => first.stop(),
      kill: () => first.kill(),
      restart: (how) => first.restart(how),
      hang: () => first.hang(),
      goOn: () => first.goOn(),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const addressOf = ({ url }: RedisServer): [host: string, port: string] => {
  const { hostname, port } = new URL(url);
  return [hostname, port];
};

/** A sentinel writes what it learns into its file. */
const sentinelSettings =
  (first: RedisServer, { downAfterMs = 5000, lines = [] }: SentinelsOptions) =>
  (port: number, dir: string): readonly string[] => {
    const file = join(dir, 'sentinel.conf');
    const text = [
      ...[`port ${port}`, 'bind 127.0.0.1', `dir ${dir}`],
      `sentinel monitor ${MASTER} ${addressOf(first).join(' ')} ${QUORUM}`,
      ...[
        `sentinel down-after-milliseconds ${MASTER} ${downAfterMs}`,
        `sentinel failover-timeout ${MASTER} ${VOTE_MS}`,
      ],
      ...lines,
    ];
    if (!existsSync(file)) writeFileSync(file, `${text.join('\n')}\n`);
    return [file, '--sentinel'];
  };

async function ask<T>({ url }: RedisServer, ...words: readonly [string, ...string[]]): Promise<T> {
  const redis = new Redis(url, { protocol: 2, enableReadyCheck: false, retryStrategy: () => null });
  redis.on('error', () => undefined);
  try {
    return (await redis.call('SENTINEL', ...words)) as T;
  } finally {
    redis.disconnect();
  }
}

async function knowsAll(sentinel: RedisServer): Promise<boolean> {
  const flat = await ask<readonly string[]>(sentinel, 'MASTER', MASTER);
  const field = (name: string): string | undefined => flat[flat.indexOf(name) + 1];
  return field('num-slaves') === '1' && field('num-other-sentinels') === String(SENTINELS - 1);
}

/** As most of them say. */
async function masterOf(sentinels: readonly RedisServer[]): Promise<string> {
  const said = await Promise.all(
    sentinels.map((sentinel) => ask<readonly string[]>(sentinel, 'GET-MASTER-ADDR-BY-NAME', MASTER)),
  );
  const urls = said.map(([host = '', port = '']) => `redis://${host}:${port}`).sort();
  return urls[Math.floor(urls.length / 2)] ?? '';
}
