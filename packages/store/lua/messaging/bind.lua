-- Puts an installation in front of those that a client is bound to, or takes it out where `isBound` is 0. One more than the
-- limit, the one that was bound the longest ago, goes.
local bindings, client, installation, isBound, limit = ...

local kept = isBound == '1' and { installation } or {}
for id in string.gmatch(redis.call('HGET', bindings, client) or '', '%S+') do
  if id ~= installation and #kept < limit then kept[#kept + 1] = id end
end
if #kept == 0 then redis.call('HDEL', bindings, client)
else redis.call('HSET', bindings, client, table.concat(kept, ' ')) end
