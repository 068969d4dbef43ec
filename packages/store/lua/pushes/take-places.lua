-- Takes the places of a push in the schedule of an app. Answers its number, or 0 when fewer are free.
local schedule, further, counter, pushesOfApp, now, max, places, id, pushTime = ...

redis.call('ZREMRANGEBYSCORE', schedule, '-inf', now)
redis.call('ZREMRANGEBYSCORE', further, '-inf', now)
if redis.call('ZCARD', schedule) + redis.call('ZCARD', further) + places > max then return 0 end
local number = redis.call('INCR', counter)
redis.call('ZADD', schedule, pushTime, number .. ' ' .. id)
for n = 2, places do redis.call('ZADD', further, pushTime, id .. ' ' .. n) end
redis.call('ZADD', pushesOfApp, now, id)
return number
