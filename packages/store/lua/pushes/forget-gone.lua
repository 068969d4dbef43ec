-- Closed pushes of a shard whose records have expired leave the list: those in front at once, others, which are kept for a
-- shorter time, when they are a part of it that is worth writing it anew. `prefix` is how the keys of a push of this shard
-- begin. Answers the bytes of those that are there.
local closed, prefix = ...
local addAll = include('kit/add-all')

local entries, living, bytes = redis.call('LRANGE', closed, 0, -1), {}, 0
local before
for i, entry in ipairs(entries) do
  if redis.call('EXISTS', prefix .. string.sub(entry, 1, ID_BYTES)) == 1 then
    before = before or i - 1
    living[#living + 1] = entry
    bytes = bytes + tonumber(string.sub(entry, ID_BYTES + 1))
  end
end
before = before or #entries
local gone = #entries - #living
if gone - before > #entries * REWRITE_SHARE then
  redis.call('DEL', closed)
  addAll('RPUSH', closed, living)
elseif before > 0 then
  redis.call('LTRIM', closed, before, -1)
end
return bytes
