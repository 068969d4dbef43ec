#!lua flags=allow-oom
-- Announces a gateway, with the time in front, and forgets those that are long gone.
local gateways, node, announcement = ...
local now = include('kit/now')

local all = redis.call('HGETALL', gateways)
for i = 1, #all, 2 do
  local age = now - tonumber(string.match(all[i + 1], '^%d+') or 0)
  if age > FORGOTTEN_AFTER_MS then redis.call('HDEL', gateways, all[i]) end
end
return redis.call('HSET', gateways, node, string.format('%.0f', now) .. ' ' .. announcement)
