-- Takes the installations that have one of some ids out of those that a client is bound to, and puts one in front of the
-- others unless it is ''. One more than the limit, the one that was bound the longest ago, goes. Each is kept as its
-- installationId, behind a tab its objectId if it had one, and behind another when a sweep missed it. Answers the
-- installationIds of those that were taken out.
local bindings, client, installation, limit, ids = ...

local isTaken = {}
for _, id in ipairs(ids) do isTaken[id] = true end

local kept = installation ~= '' and { installation } or {}
local taken = {}
for entry in string.gmatch(redis.call('HGET', bindings, client) or '', '[^ ]+') do
  local installationId, objectId = string.match(entry, '^([^\t]*)\t?([^\t]*)')
  if isTaken[installationId] or isTaken[objectId] then taken[#taken + 1] = installationId
  elseif #kept < limit then kept[#kept + 1] = entry end
end
if #kept == 0 then redis.call('HDEL', bindings, client)
else redis.call('HSET', bindings, client, table.concat(kept, ' ')) end
return taken
