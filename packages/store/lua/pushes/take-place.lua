-- Takes a place in the schedule of an app. Answers its number, or 0 when all places are taken.
local schedule, counter, pushesOfApp, now, places, id, pushTime = ...

redis.call('ZREMRANGEBYSCORE', schedule, '-inf', now)
if redis.call('ZCARD', schedule) >= places then return 0 end
local number = redis.call('INCR', counter)
redis.call('ZADD', schedule, pushTime, number .. ' ' .. id)
redis.call('ZADD', pushesOfApp, now, id)
return number
