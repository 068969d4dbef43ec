-- Takes devices out of the day of an app. Answers how many were granted.
local count, want, perDay, lifeMs = ...

local left = perDay - tonumber(redis.call('GET', count) or 0)
local granted = math.max(0, math.min(left, want))
if granted > 0 then
  redis.call('INCRBY', count, granted)
  redis.call('PEXPIRE', count, lifeMs)
end
return granted
