import { Cluster, type Redis } from 'ioredis';
import { luaScript, nothing } from './lua/script';
import type { RedisClient } from './redis';
import { rightsAt, type RedisRights } from './redis-rights';
import { addressOf, infoOf, mastersOf, memoryIn, whereIs, type RedisMemory } from './redis-settings';

/** The settings and the health of one Redis master; undefined where the master does not tell. */
export interface RedisFacts {
  readonly node: string;
  /** The master is reached over a network and asks for no password. */
  readonly isOpen: boolean;
  readonly version: string;
  readonly memory: RedisMemory;
  readonly appendOnly: boolean | undefined;
  readonly fsync: string | undefined;
  /** False when the append-only file could not be written or rewritten the last time. */
  readonly isLogWritten: boolean;
  /** How far the clock of the master is ahead of this process, in milliseconds. */
  readonly clockAheadMs: number;
  readonly rights: RedisRights;
  /** Why the master writes nothing, in its own words. */
  readonly refusal: string | undefined;
}

const takeWrites = luaScript('kit/take-writes', { params: { answer: 'text' }, answer: nothing });

interface Asked {
  readonly now: () => number;
  /** What the keys of the fleet begin with. */
  readonly namespace: string;
}

export function readRedisFacts(redis: RedisClient, { now, namespace }: Asked): Promise<readonly RedisFacts[]> {
  const isCluster = redis instanceof Cluster;
  return Promise.all(
    mastersOf(redis).map(async (node) => ({
      ...(await factsOf(node, now)),
      rights: await rightsAt(node, isCluster, namespace),
      refusal: await refusalAt(node),
    })),
  );
}

const REFUSES_WRITES = /^(?:OOM|MISCONF|NOREPLICAS|READONLY)\b/;

async function refusalAt(node: Redis): Promise<string | undefined> {
  try {
    await takeWrites(node, { answer: '' });
    return undefined;
  } catch (error) {
    if (error instanceof Error && REFUSES_WRITES.test(error.message)) return error.message;
    throw error;
  }
}

async function factsOf(node: Redis, now: () => number): Promise<Omit<RedisFacts, 'rights' | 'refusal'>> {
  const info = await infoOf(node);
  return {
    node: addressOf(node),
    isOpen: isOpen({ ...node.options, ...whereIs(node) }),
    version: info.get('redis_version') ?? '',
    memory: memoryIn(info),
    appendOnly: info.has('aof_enabled') ? info.get('aof_enabled') === '1' : undefined,
    fsync: await fsyncOf(node),
    isLogWritten: ['aof_last_write_status', 'aof_last_bgrewrite_status'].every((name) => info.get(name) !== 'err'),
    clockAheadMs: await clockAhead(node, now),
  };
}

/** Redis asks for no password when a connection without one may run commands, and for a certificate instead where one is set. */
const isOpen = ({ host = 'localhost', path, password, tls }: Redis['options']): boolean =>
  path === undefined && !password && !tls?.cert && !/^(localhost|127\.|::1$|\[::1\]$)/.test(host);

/** A managed Redis may refuse CONFIG. */
async function fsyncOf(node: Redis): Promise<string | undefined> {
  const answer = await node.config('GET', 'appendfsync').catch(() => undefined);
  return Array.isArray(answer) && answer.length > 1 ? String(answer[1]) : undefined;
}

/** The time of the master is compared with the middle of the round trip. */
async function clockAhead(node: Redis, now: () => number): Promise<number> {
  const before = now();
  const [seconds, micros] = await node.time();
  return Math.round(Number(seconds) * 1000 + Number(micros) / 1000 - (before + now()) / 2);
}
