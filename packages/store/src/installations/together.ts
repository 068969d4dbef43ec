import { Cluster } from 'ioredis';
import type { RedisClient } from '../kit/redis';

/** What may share one script: on one Redis all of an app, on a cluster what lives in one slot. */
export const togetherOn = (redis: RedisClient): ((app: string, shard: number) => string) =>
  redis instanceof Cluster ? (app, shard) => `${app} ${shard}` : (app) => app;
