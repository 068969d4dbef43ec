export { answersPing } from './ask-redis';
export { findRedisServer, LEAST_REDIS, REDIS_SERVERS } from './find-redis-server';
export { openPrivateRedis, type PrivateRedis } from './open-private-redis';
export { redisArguments } from './redis-arguments';
