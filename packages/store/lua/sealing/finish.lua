#!lua flags=allow-oom
-- Ends it: nothing is sealed with the other keys any more, and nobody needs their sentinels.
local state, id, sentinel, summary = ...

if redis.call('HGET', state, SEALING.writes) ~= id then return 0 end
for _, field in ipairs(redis.call('HKEYS', state)) do
  if string.find(field, '^' .. SEALING.sentinel) or string.find(field, '^' .. SEALING.used) then
    redis.call('HDEL', state, field)
  end
end
redis.call('HSET', state, SEALING.sentinel .. id, sentinel, SEALING.used .. id, 1, SEALING.last, summary)
redis.call('HDEL', state, SEALING.reseal)
return 1
