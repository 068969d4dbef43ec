-- Writes the next text of a client, or removes it, unless the present one is not `from`; '' stands for none.
local bindings, bytes, client, from, to = ...

local bound = include('messaging/client')

if (redis.call('HGET', bindings, client) or '') ~= from then return 0 end
bound.put(bindings, bytes, { client = client, from = from, to = to })
return 1
