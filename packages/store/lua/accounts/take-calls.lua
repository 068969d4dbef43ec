-- Takes calls out of a minute of an app, which begins with its first call. A call too many closes the app for a minute
-- of its own: the count then stands below zero. Answers the calls granted and the life of the answer in ms.
local count, want, perMinute = ...
local lifeOf = include('kit/life')

local used, life = tonumber(redis.call('GET', count) or 0), lifeOf(count, MINUTE_MS)
if used < 0 and life > 0 then return { 0, life } end
local left = perMinute - used
if left <= 0 then
  redis.call('SET', count, -1, 'PX', MINUTE_MS)
  return { 0, MINUTE_MS }
end
local granted = math.min(left, want)
redis.call('INCRBY', count, granted)
if life <= 0 then
  redis.call('PEXPIRE', count, MINUTE_MS)
  life = MINUTE_MS
end
return { granted, life }
