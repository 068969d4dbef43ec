-- Takes the installations that have one of some ids out of those that a client is bound to, and puts one in front of the
-- others unless it is ''. One more than the limit, the one that was bound the longest ago, goes. Each is kept as its
-- installationId, behind a tab its objectId if it had one, and behind another when a sweep missed it. Answers by how many
-- bytes that grew, and the installationIds of those that were taken out. Where it would grow by more than `most`, nothing is
-- changed, and the answer is nothing.
local bindings, bytes, client, installation, limit, most, ids = ...

local bound = include('messaging/client')

local isTaken = {}
for _, id in ipairs(ids) do isTaken[id] = true end

local from = redis.call('HGET', bindings, client) or ''
local kept = installation ~= '' and { installation } or {}
local taken = {}
for entry in string.gmatch(from, '[^ ]+') do
  local installationId, objectId = string.match(entry, '^([^\t]*)\t?([^\t]*)')
  if isTaken[installationId] or isTaken[objectId] then taken[#taken + 1] = installationId
  elseif #kept < limit then kept[#kept + 1] = entry end
end
local to = table.concat(kept, ' ')
local growth = bound.growthOf(client, from, to)
if growth > most then return false end
bound.put(bindings, bytes, { client = client, from = from, to = to })
return { growth, taken }
