-- Takes closed pushes of a shard away that expire within `hours`, until `excess` bytes are free, at most `most` of them.
-- `prefix` is how the keys of a push of this shard begin. Answers how many were removed, and the bytes that their entries
-- said. What a push of the own channel says stays for the mailboxes that wait for it.
local closed, prefix, hours, excess, most, suffixes = ...

local function remove(entry, record)
  local names = { record }
  for _, suffix in ipairs(suffixes) do names[#names + 1] = record .. suffix end
  redis.call('UNLINK', unpack(names))
  redis.call('LREM', closed, 1, entry)
end

local removed, freed = 0, 0
for _, entry in ipairs(redis.call('LRANGE', closed, 0, -1)) do
  if removed == most or freed >= excess then break end
  local record = prefix .. string.sub(entry, 1, ID_BYTES)
  local lifeMs = redis.call('PTTL', record)
  if lifeMs ~= -2 and lifeMs <= hours * HOUR_MS then
    remove(entry, record)
    removed, freed = removed + 1, freed + tonumber(string.sub(entry, ID_BYTES + 1))
  end
end
return { removed, freed }
