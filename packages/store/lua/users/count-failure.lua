-- Counts a failure. Answers how many there were since the first, and when counting starts anew.
local count, lifeMs = ...
local lifeOf = include('kit/life')

local failures = redis.call('INCR', count)
if failures == 1 then redis.call('PEXPIRE', count, lifeMs) end
return { failures, lifeOf(count, lifeMs) }
