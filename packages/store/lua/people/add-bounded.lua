-- Adds a field unless it is there, or as many are as there may be.
local hash, field, text, most = ...

if redis.call('HEXISTS', hash, field) == 1 then return 'exists' end
if redis.call('HLEN', hash) >= most then return 'full' end
redis.call('HSET', hash, field, text)
return 'added'
