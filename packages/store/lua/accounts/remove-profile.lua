#!lua flags=allow-oom
-- A profile goes with what was noted of it.
local profiles, notes, name, test, receipt = ...

redis.call('HDEL', notes, test, receipt)
return redis.call('HDEL', profiles, name)
