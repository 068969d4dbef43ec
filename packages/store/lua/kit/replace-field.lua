-- Writes the next text of a field, or removes it, unless the present one is not `from`; '' stands for none.
local hash, field, from, to = ...

if (redis.call('HGET', hash, field) or '') ~= from then return 0 end
if to == '' then redis.call('HDEL', hash, field) else redis.call('HSET', hash, field, to) end
return 1
