#!lua flags=allow-oom
-- Adds to a counter of a record, and to the totals; a record that is gone stays gone.
local record, totals, counter, count = ...

if redis.call('EXISTS', record) == 1 then
  redis.call('HINCRBY', record, counter, count)
  redis.call('HINCRBY', totals, counter, count)
end
return 1
