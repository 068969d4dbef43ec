-- Answers node and announcement of the gateways that live, and forgets those that are long gone.
local gateways = ...
local now = include('kit/now')

local all, out = redis.call('HGETALL', gateways), {}
for i = 1, #all, 2 do
  local node, text = all[i], all[i + 1]
  local age = now - tonumber(string.match(text, '^%d+'))
  if age > FORGOTTEN_AFTER_MS then
    redis.call('HDEL', gateways, node)
  elseif age < DEAD_AFTER_MS then
    out[#out + 1] = node
    out[#out + 1] = string.match(text, ' (.*)$')
  end
end
return out
