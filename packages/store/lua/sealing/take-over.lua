#!lua flags=allow-oom
-- Takes the place of a key that nothing was sealed with.
local state, present, id, sentinel = ...

if redis.call('HGET', state, SEALING.writes) ~= present then return 0 end
if redis.call('HEXISTS', state, SEALING.used .. present) == 1 then return 0 end
redis.call('HDEL', state, SEALING.sentinel .. present)
redis.call('HSET', state, SEALING.writes, id, SEALING.sentinel .. id, sentinel)
return 1
