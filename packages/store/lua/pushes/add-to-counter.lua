#!lua flags=allow-oom
-- Adds to a counter of a record, and to the totals; a record that is gone stays gone.
local record, totals, counter, by = ...
local count = include('kit/count')

if redis.call('EXISTS', record) == 1 then
  count(record, counter, by)
  count(totals, counter, by)
end
return 1
