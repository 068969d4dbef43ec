/**
 * Every command that a process sends, with those of its scripts and of all scripts of the queue library: what a Redis user of the
 * fleet must be allowed. A subcommand stands behind a bar.
 */
export const FLEET_COMMANDS: readonly string[] = `
  blpop bzpopmin client|id client|setname decr del eval evalsha exec exists expire get hdel hexists hget hgetall
  hincrby hkeys hlen hmget hmset hscan hset hsetnx hstrlen hvals incr incrby info lindex llen lpop lpos lpush lrange
  lrem lset ltrim memory|usage multi persist pexpire pexpireat pfadd ping pttl rename rpop rpoplpush rpush sadd scan
  scard script|exists script|load set sismember smembers smismember spublish srem sscan ssubscribe sunsubscribe time
  type unlink xadd xdel xlen xrange xrevrange xtrim zadd zcard zcount zlexcount zmscore zpopmin zrandmember zrange
  zrangebylex zrangebyscore zrem zremrangebyrank zremrangebyscore zrevrange zrevrangebyscore zscan zscore
`
  .trim()
  .split(/\s+/);

/** What nodes of a cluster are asked beside that; `asking` while slots move between them. */
export const CLUSTER_COMMANDS: readonly string[] = ['asking', 'cluster|info', 'cluster|slots'];

/** What a fleet can do without, each with what it then lacks. */
export const SPARE_COMMANDS: Readonly<Record<string, string>> = {
  'client|list': 'work of a process that was killed is taken over after 15 s, not after 3',
  'config|get': 'the doctor cannot tell appendfsync',
  select: 'REDIS_URL may name no database but 0',
};
