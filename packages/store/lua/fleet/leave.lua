-- Forgets a process that stops.
local beats, facts, id = ...

redis.call('ZREM', beats, id)
return redis.call('HDEL', facts, id)
