-- The entries of some channels, in the order asked; '' for a channel without one.
-- each of asked: held, channel.
local asked = ...

local out = {}
for i, one in ipairs(asked) do out[i] = redis.call('HGET', one.held, one.channel) or '' end
return out
