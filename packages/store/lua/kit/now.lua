-- Milliseconds since the epoch by the clock of Redis, which all processes share.
local time = redis.call('TIME')
return time[1] * 1000 + math.floor(time[2] / 1000)
