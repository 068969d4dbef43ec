-- Adds shards to channels, and takes back the doubts about them when a device is about to subscribe. Answers how many
-- were new.
-- each of channels: name, shards.
local held, doubts, isBefore, channels = ...

local added, hasDoubts = 0, isBefore == '1' and redis.call('EXISTS', doubts) == 1

-- Two characters for each shard.
local function freshOf(known, wanted)
  local all, fresh = {}, {}
  for at = 1, #known, 2 do all[string.sub(known, at, at + 1)] = true end
  for at = 1, #wanted, 2 do
    local shard = string.sub(wanted, at, at + 1)
    if wanted == EVERYWHERE or not all[shard] then fresh[#fresh + 1] = shard end
  end
  return fresh
end

for _, one in ipairs(channels) do
  local known = redis.call('HGET', held, one.name) or ''
  local fresh = known == EVERYWHERE and {} or freshOf(known, one.shards)
  if #fresh > 0 then
    added = added + #fresh
    local all = known .. table.concat(fresh)
    if one.shards == EVERYWHERE or #all > LONGEST then all = EVERYWHERE end
    redis.call('HSET', held, one.name, all)
  end
  if hasDoubts then redis.call('HDEL', doubts, one.name) end
end
return added
