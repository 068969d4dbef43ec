-- Counts an attempt: 0, or the ms after which the count begins anew.
local count, most, windowMs = ...
local lifeOf = include('kit/life')

local taken = tonumber(redis.call('GET', count) or '0')
if taken >= most then return math.max(lifeOf(count, windowMs), 1) end
if redis.call('INCR', count) == 1 then redis.call('PEXPIRE', count, windowMs) end
return 0
