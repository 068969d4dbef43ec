import { Cluster, type Redis } from 'ioredis';
import { MustCorrect } from './must-correct';

type RedisClient = Redis | Cluster;

export interface RedisMemory {
  readonly usedBytes: number;
  /** 0: as much as the machine has. */
  readonly maxBytes: number;
  readonly evictionPolicy: string;
}

export interface RedisSettings extends RedisMemory {
  /** Address of the master. */
  readonly node: string;
}

export const mastersOf = (redis: RedisClient): readonly Redis[] =>
  redis instanceof Cluster ? redis.nodes('master') : [redis];

export const addressOf = (redis: Redis): string => {
  const { host = 'unknown', port = 0 } = whereIs(redis);
  return `${host}:${port}`;
};

/** As it was named, or where sentinels said that it is. */
export const whereIs = ({
  options,
  stream,
}: Redis): { readonly host?: string | undefined; readonly port?: number | undefined } =>
  options.sentinels ? { host: stream.remoteAddress, port: stream.remotePort } : options;

/** The answer of INFO by field, for everything or for one section. */
export async function infoOf(
  master: Redis,
  ...section: readonly ['memory'] | readonly []
): Promise<ReadonlyMap<string, string>> {
  const text = await master.info(...section);
  return new Map(
    text.split('\r\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  );
}

/** What every master says of its memory. */
export function redisSettings(redis: RedisClient): Promise<readonly RedisSettings[]> {
  return Promise.all(
    mastersOf(redis).map(async (master) => ({ node: addressOf(master), ...memoryIn(await infoOf(master, 'memory')) })),
  );
}

export const memoryIn = (info: ReadonlyMap<string, string>): RedisMemory => ({
  usedBytes: Number(info.get('used_memory')),
  maxBytes: Number(info.get('maxmemory')),
  evictionPolicy: info.get('maxmemory_policy') ?? '',
});

/** Throws a `MustCorrect` when Redis is set up to evict keys, or has no limit where one is required. */
export async function requireKeeping(redis: RedisClient, { mustHaveLimit }: { mustHaveLimit: boolean }): Promise<void> {
  for (const { node, evictionPolicy, maxBytes } of await redisSettings(redis)) {
    if (evictionPolicy !== 'noeviction')
      throw new MustCorrect(
        `REDIS_URL: Redis at ${node} would forget pushes when it is full: its maxmemory-policy is ${evictionPolicy}. ` +
          'Set it to noeviction (CONFIG SET maxmemory-policy noeviction, and in redis.conf).',
      );
    if (mustHaveLimit && maxBytes === 0)
      throw new MustCorrect(
        `REDIS_URL: Redis at ${node} has no maxmemory, so nobody can tell when it is full. Set it to what the machine can spare ` +
          '(CONFIG SET maxmemory 4gb, and in redis.conf).',
      );
  }
}
