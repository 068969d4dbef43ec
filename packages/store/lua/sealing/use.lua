#!lua flags=allow-oom
-- Notes that a key seals, before it does so for the first time. Answers 0 when another key is the one to seal with.
local state, id = ...

if redis.call('HGET', state, SEALING.writes) ~= id then return 0 end
redis.call('HSET', state, SEALING.used .. id, 1)
return 1
