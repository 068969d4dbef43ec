-- Notes what would have spared a walk of an app, unless many others are noted. A day after the first, all are forgotten.
local walks, columns, text, most, lifeMs = ...

local isFirst = redis.call('EXISTS', walks) == 0
if redis.call('HEXISTS', walks, columns) == 0 and redis.call('HLEN', walks) >= most then return 0 end
redis.call('HSET', walks, columns, text)
if isFirst then redis.call('PEXPIRE', walks, lifeMs) end
return 1
