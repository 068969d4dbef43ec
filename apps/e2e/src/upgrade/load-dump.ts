import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { openRedis, type RedisClient } from '@pushfleet/store';
import type { DemoApp } from '../fleet';

/** What the writer of a dump knows of it (`write-dump.mjs`). */
export interface Dumped {
  readonly secretKey: string;
  readonly app: DemoApp;
  readonly account: Readonly<
    Record<'userId' | 'clientId' | 'name' | 'access_token' | 'mac_key' | 'mac_algorithm', string>
  >;
  /** How many there are of each: `mz-0` with `mz-token-0`, and so on. */
  readonly devices: Readonly<Record<'mz' | 'hms' | 'own', number>>;
  readonly pushes: {
    /** To everybody, half sent. */
    readonly campaign: string;
    /** To `hms-0`, sent; the vendor's report of its arrival waits in the queue. */
    readonly delivered: string;
    /** To `own-0`, in its mailbox. */
    readonly offline: readonly string[];
    /** To `hms-1`: their time has come by now, or is in 2099. */
    readonly due: string;
    readonly waiting: string;
    /** To one device each: a job of the channel, or not planned yet. */
    readonly planned: readonly string[];
    readonly accepted: readonly string[];
  };
  /** The addresses at mz that the campaign was sent to. */
  readonly sent: readonly string[];
}

type Key =
  | readonly [key: string, lifeMs: number, type: 'string', value: string]
  | readonly [key: string, lifeMs: number, type: 'hash', value: Readonly<Record<string, string>>]
  | readonly [key: string, lifeMs: number, type: 'list' | 'set' | 'zset', value: readonly string[]];

/** Fills a Redis, or a cluster, with what a fleet of an earlier version left there. */
export async function loadDump(file: string, url: string): Promise<Dumped> {
  const text = brotliDecompressSync(readFileSync(join(__dirname, file))).toString();
  const [known = '', ...keys] = text.trimEnd().split('\n');
  const redis = await openRedis({ url, patience: 'wait', onError: raise });
  await Promise.all(keys.map((line) => loadKey(redis, JSON.parse(line) as Key)));
  await redis.quit();
  return JSON.parse(known) as Dumped;
}

const raise = (error: Error): never => {
  throw error;
};

async function loadKey(redis: RedisClient, [key, lifeMs, type, value]: Key): Promise<void> {
  if (type === 'string') await redis.set(key, value);
  else if (type === 'hash') await redis.hset(key, value);
  else if (type === 'list') await redis.rpush(key, ...value);
  else if (type === 'set') await redis.sadd(key, ...value);
  else await redis.zadd(key, ...scoresFirst(value));
  if (lifeMs > 0) await redis.pexpire(key, lifeMs);
}

const scoresFirst = (members: readonly string[]): readonly string[] =>
  members.flatMap((member, i) => (i % 2 === 0 ? [members[i + 1] ?? '', member] : []));
