-- A count that is over stays over.
local count = ...

if redis.call('EXISTS', count) == 1 then redis.call('DECR', count) end
return 0
