-- Replaces a text that is still what was read; its life stays what it is.
local name, from, to = ...

if redis.call('GET', name) ~= from then return 0 end
redis.call('SET', name, to, 'KEEPTTL')
return 1
