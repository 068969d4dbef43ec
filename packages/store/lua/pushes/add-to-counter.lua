-- Adds to a counter of a record; a record that is gone stays gone.
local record, counter, count = ...

if redis.call('EXISTS', record) == 1 then redis.call('HINCRBY', record, counter, count) end
return 1
