#!lua flags=allow-oom
-- Writes a field of the state.
local state, field, text = ...

return redis.call('HSET', state, field, text)
