#!lua flags=allow-oom
-- Takes an installation over from whoever held it. Answers the presence before, then the mailbox.
local place, mailbox, presence, lifeMs = ...

local answer = redis.call('ZRANGE', mailbox, 0, -1)
table.insert(answer, 1, redis.call('GET', place) or '')
redis.call('SET', place, presence, 'PX', lifeMs)
return answer
