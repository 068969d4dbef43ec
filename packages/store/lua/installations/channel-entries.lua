-- The entries of some channels, in the order asked; '' for a channel without one.
-- each of asked: held, channels.
local asked = ...

local out = {}
for _, one in ipairs(asked) do
  for _, channel in ipairs(one.channels) do out[#out + 1] = redis.call('HGET', one.held, channel) or '' end
end
return out
