-- What the closed pushes of a shard take, by app and by the hours after which they expire: app, hours and bytes in turn.
-- `prefix` is how the keys of a push of this shard begin.
local closed, prefix = ...
local appOf = include('pushes/app-of')

local bytesOf = {}
for _, entry in ipairs(redis.call('LRANGE', closed, 0, -1)) do
  local record = prefix .. string.sub(entry, 1, ID_BYTES)
  local lifeMs = redis.call('PTTL', record)
  if lifeMs ~= -2 then
    local app = appOf(record)
    local hours = math.ceil(math.max(0, lifeMs) / HOUR_MS)
    bytesOf[app] = bytesOf[app] or {}
    bytesOf[app][hours] = (bytesOf[app][hours] or 0) + tonumber(string.sub(entry, ID_BYTES + 1))
  end
end
local out = {}
for app, byHours in pairs(bytesOf) do
  for hours, bytes in pairs(byHours) do
    out[#out + 1] = app
    out[#out + 1] = hours
    out[#out + 1] = bytes
  end
end
return out
