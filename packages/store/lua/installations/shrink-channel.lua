-- Replaces what is held of a channel, '' removing it, unless it changed or a device began to subscribe meanwhile.
local shards, doubts, channel, held, doubt, left = ...

if redis.call('HGET', shards, channel) ~= held then return 0 end
if redis.call('HGET', doubts, channel) ~= doubt then return 0 end
redis.call('HDEL', doubts, channel)
if left == '' then return redis.call('HDEL', shards, channel) end
redis.call('HSET', shards, channel, left)
return 1
