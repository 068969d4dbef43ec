#!lua flags=allow-oom
-- Tells a gateway something. Hints of one node are numbered without gaps, so that a lost one is missed.
local sequence, channel, hint = ...

local number = redis.call('INCR', sequence)
redis.call('PEXPIRE', sequence, SEQUENCE_LIFE_MS)
return redis.call('SPUBLISH', channel, number .. ' ' .. hint)
