#!lua flags=allow-oom
-- Takes a lease that nobody has, renews one's own. In a full Redis too: somebody must be left to say that it is full.
local lease, owner, lifeMs = ...
local lifeOf = include('kit/life')

local holder = redis.call('GET', lease)
if holder and holder ~= owner then
  lifeOf(lease, lifeMs)
  return 0
end
redis.call('SET', lease, owner, 'PX', lifeMs)
return 1
