#!lua flags=allow-oom
-- Begins to seal everything anew with a key.
local state, id, sentinel, progress = ...

redis.call('HSET', state, SEALING.writes, id, SEALING.sentinel .. id, sentinel, SEALING.used .. id, 1,
  SEALING.reseal, progress)
return 1
