-- Corrects what the bindings of a shard take, unless one of them changed meanwhile.
local bytes, changes, to = ...

if tonumber(redis.call('HGET', bytes, 'changes') or 0) ~= changes then return 0 end
if to > 0 then redis.call('HSET', bytes, 'bytes', to) else redis.call('DEL', bytes) end
return 1
