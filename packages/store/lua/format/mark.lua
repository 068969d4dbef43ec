#!lua flags=allow-oom
-- Marks the data with their format; the first to come decides. In a full Redis too: nobody starts without it.
local format, data, accepts = ...

if redis.call('EXISTS', format) == 1 then return 0 end
redis.call('HSET', format, 'data', data, 'accepts', accepts)
return 1
