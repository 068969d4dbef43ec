-- What a list of a shard says of what is there, by app and by the hours after which it expires: app, hours and bytes in turn.
-- `prefix` is how the keys of a push of this shard begin, `suffix` how that of what is listed ends.
local list, prefix, suffix = ...
local read = include('pushes/entry')

local bytesOf = {}
for _, entry in ipairs(redis.call('LRANGE', list, 0, -1)) do
  local record = prefix .. string.sub(entry, 1, ID_BYTES)
  local lifeMs = redis.call('PTTL', record .. suffix)
  if lifeMs ~= -2 then
    local bytes, app = read(entry, record)
    local hours = math.ceil(math.max(0, lifeMs) / HOUR_MS)
    bytesOf[app] = bytesOf[app] or {}
    bytesOf[app][hours] = (bytesOf[app][hours] or 0) + bytes
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
