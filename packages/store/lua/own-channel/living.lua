-- Answers node and announcement of the gateways that live. It writes nothing, because it is asked of a Redis that refuses
-- writes, too. An announcement without its time is as old as can be.
local gateways = ...
local now = include('kit/now')

local all, out = redis.call('HGETALL', gateways), {}
for i = 1, #all, 2 do
  local node, text = all[i], all[i + 1]
  if now - tonumber(string.match(text, '^%d+') or 0) < DEAD_AFTER_MS then
    out[#out + 1] = node
    out[#out + 1] = string.match(text, ' (.*)$') or ''
  end
end
return out
