-- Takes the oldest closed pushes of a shard away until `excess` bytes are free, at most `most` of them. `prefix` is how the
-- keys of a push of this shard begin. Answers how many were removed, and the bytes that their entries said. What a push of
-- the own channel says stays for the mailboxes that wait for it.
local closed, prefix, excess, most, suffixes = ...

local function remove(entry)
  local record = prefix .. string.sub(entry, 1, ID_BYTES)
  local names = { record }
  for _, suffix in ipairs(suffixes) do names[#names + 1] = record .. suffix end
  redis.call('UNLINK', unpack(names))
end

local removed, freed = 0, 0
for _, entry in ipairs(redis.call('LRANGE', closed, 0, most - 1)) do
  if freed >= excess then break end
  remove(entry)
  removed, freed = removed + 1, freed + tonumber(string.sub(entry, ID_BYTES + 1))
end
redis.call('LTRIM', closed, removed, -1)
return { removed, freed }
