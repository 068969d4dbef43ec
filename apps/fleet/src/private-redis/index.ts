// What `npm start` shares, which loads nothing of the fleet: the process that keeps its Redis stays as small as it is.
export { answersPing } from './ask-redis';
export { findRedisServer, LEAST_REDIS, REDIS_SERVERS } from './find-redis-server';
export { redisArguments } from './redis-arguments';
