#!lua flags=allow-oom
-- Renews a presence that is this one or forgotten, and answers the mailbox; answers nothing when another took over.
local place, mailbox, presence, lifeMs = ...

if (redis.call('GET', place) or presence) ~= presence then return false end
redis.call('SET', place, presence, 'PX', lifeMs)
return redis.call('ZRANGE', mailbox, 0, -1)
