#!lua flags=allow-oom
-- Notes that a process lives, and forgets the silent. In a full Redis too: that is when somebody wants to see who lives.
-- Answers the time.
local beats, facts, id, told = ...
local now = include('kit/now')

redis.call('ZADD', beats, now, id)
redis.call('HSET', facts, id, told)
local dead = redis.call('ZRANGEBYSCORE', beats, '-inf', now - DEAD_AFTER_MS, 'LIMIT', 0, 1000)
for _, other in ipairs(redis.call('ZRANGE', beats, 0, -(MAX_PROCESSES + 1))) do dead[#dead + 1] = other end
if #dead > 0 then
  redis.call('ZREM', beats, unpack(dead))
  redis.call('HDEL', facts, unpack(dead))
end
redis.call('PEXPIRE', beats, 4 * DEAD_AFTER_MS)
redis.call('PEXPIRE', facts, 4 * DEAD_AFTER_MS)
return now
