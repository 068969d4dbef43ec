-- Pushes of a list of a shard of which what is listed has expired leave the list: those in front at once, others, which are
-- kept for a shorter time, when they are a part of it that is worth writing it anew. `prefix` is how the keys of a push of
-- this shard begin, `suffix` how that of what is listed ends. Answers the bytes of those that are there.
local list, prefix, suffix = ...
local addAll = include('kit/add-all')

local entries, living, bytes = redis.call('LRANGE', list, 0, -1), {}, 0
local before
for i, entry in ipairs(entries) do
  if redis.call('EXISTS', prefix .. string.sub(entry, 1, ID_BYTES) .. suffix) == 1 then
    before = before or i - 1
    living[#living + 1] = entry
    bytes = bytes + tonumber(string.match(entry, '^%d+', ID_BYTES + 1))
  end
end
before = before or #entries
local gone = #entries - #living
if gone - before > #entries * REWRITE_SHARE then
  redis.call('DEL', list)
  addAll('RPUSH', list, living)
elseif before > 0 then
  redis.call('LTRIM', list, before, -1)
end
return bytes
