#!lua flags=allow-oom
-- Says which key to seal with; the first to come decides. In a full Redis too: nobody serves who cannot prove its key.
local state, id, sentinel, isUsed = ...

local writes = redis.call('HGET', state, SEALING.writes)
if writes and redis.call('HEXISTS', state, SEALING.sentinel .. writes) == 1 then return 0 end
redis.call('HSET', state, SEALING.writes, id, SEALING.sentinel .. id, sentinel)
if isUsed == '1' then redis.call('HSET', state, SEALING.used .. id, 1) end
return 1
