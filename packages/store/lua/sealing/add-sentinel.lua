#!lua flags=allow-oom
-- Adds the sentinel of a key that has none. One that is there tells a later phase than whoever did not see it knows.
local state, id, sentinel = ...

return redis.call('HSETNX', state, SEALING.sentinel .. id, sentinel)
