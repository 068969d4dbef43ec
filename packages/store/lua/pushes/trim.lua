-- Takes the oldest closed pushes of a shard away until the others fit; those that are gone already leave the list.
-- `prefix` is how the keys of a push of this shard begin. Answers how many were removed. What a push of the own channel
-- says stays for the mailboxes that wait for it.
local closed, prefix, allowed, most, suffixes = ...

local entries, total, gone, removed = redis.call('LRANGE', closed, 0, -1), 0, 0, 0
for _, entry in ipairs(entries) do total = total + string.sub(entry, ID_BYTES + 1) end
for _, entry in ipairs(entries) do
  local record = prefix .. string.sub(entry, 1, ID_BYTES)
  if redis.call('EXISTS', record) == 1 then
    if total <= allowed or removed == most then break end
    local names = { record }
    for _, suffix in ipairs(suffixes) do names[#names + 1] = record .. suffix end
    redis.call('UNLINK', unpack(names))
    removed = removed + 1
  end
  total, gone = total - string.sub(entry, ID_BYTES + 1), gone + 1
end
if gone > 0 then redis.call('LTRIM', closed, gone, -1) end
return removed
