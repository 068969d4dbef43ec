-- Keeps of the columns of an app those that a whole look at its installations found, and those that were noted not long
-- before it or later. Notes since when they are all that there are, unless they are too many.
local names, begunAt, notedSince, most, lifeMs, found = ...

local isFound, isFull = {}, #found > most
for _, column in ipairs(found) do isFound[column] = true end
local stored = redis.call('HGETALL', names)
for i = 1, #stored, 2 do
  local name, isLate = stored[i], tonumber(stored[i + 1]) >= notedSince
  if name == TOO_MANY then isFull = isFull or isLate
  elseif name ~= WHOLE and not isLate and not isFound[name] then redis.call('HDEL', names, name) end
end
if isFull then
  redis.call('HDEL', names, WHOLE)
else
  for _, column in ipairs(found) do redis.call('HSETNX', names, column, begunAt) end
  redis.call('HDEL', names, TOO_MANY)
  redis.call('HSET', names, WHOLE, begunAt)
end
redis.call('PEXPIRE', names, lifeMs)
return 1
