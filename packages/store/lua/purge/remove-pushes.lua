#!lua flags=allow-oom
-- Removes those of the named pushes that are of one of the apps. `prefix` is how the keys of the shard's pushes begin;
-- `entries` are entries of the list of closed pushes, or ids. Answers the app and the id of each that went.
local open, closed, prefix, apps, entries, suffixes = ...

local wanted = {}
for _, app in ipairs(apps) do wanted[app] = true end

local gone = {}
for _, entry in ipairs(entries) do
  local id = string.sub(entry, 1, ID_BYTES)
  local record = prefix .. id
  local owner = redis.call('HMGET', record, RECORD.app, RECORD.packedApp)
  local app = owner[1] or owner[2]
  if app and wanted[app] then
    local names = { record }
    for _, suffix in ipairs(suffixes) do names[#names + 1] = record .. suffix end
    redis.call('UNLINK', unpack(names))
    redis.call('ZREM', open, id)
    if #entry > ID_BYTES then redis.call('LREM', closed, 1, entry) end
    gone[#gone + 1] = { app, id }
  end
end
return gone
