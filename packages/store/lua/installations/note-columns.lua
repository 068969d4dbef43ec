-- Notes columns of an app before an installation that has them is stored. Answers 0 when the app has too many: then nobody can
-- tell which columns no installation has.
local names, at, most, lifeMs, columns = ...

local isFull = false
for _, column in ipairs(columns) do
  if redis.call('HEXISTS', names, column) == 1 or redis.call('HLEN', names) < most then
    redis.call('HSET', names, column, at)
  else
    isFull = true
  end
end
if isFull then
  redis.call('HSET', names, TOO_MANY, at)
  redis.call('HDEL', names, WHOLE)
end
redis.call('PEXPIRE', names, lifeMs)
return isFull and 0 or 1
