-- Takes the outcomes of a push away, and those that it would still get. Answers 1, or 0 for a record that is gone.
local record, kept = ...
redis.call('UNLINK', kept)
if redis.call('EXISTS', record) == 0 then return 0 end
redis.call('HSET', record, RECORD.told, '0 ' .. FULL)
return 1
