-- Corrects what the bindings of a shard take, unless one of them changed meanwhile, or a scan met one of the clients twice.
local bindings, bytes, clients, changes, to = ...

if redis.call('HLEN', bindings) ~= clients then return 0 end
if tonumber(redis.call('HGET', bytes, 'changes') or 0) ~= changes then return 0 end
if to > 0 then redis.call('HSET', bytes, 'bytes', to) else redis.call('DEL', bytes) end
return 1
