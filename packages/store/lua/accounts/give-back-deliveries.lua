-- Puts devices back into a day of an app, unless it is long over.
local count, devices = ...

if redis.call('EXISTS', count) == 1 then redis.call('DECRBY', count, devices) end
