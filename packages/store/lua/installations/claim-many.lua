-- Claims many ids that differ. Answers the second of Redis' clock, then the positions of those that others have.
-- A small hash is searched from its beginning until it has held a value too long for that: one that is about to grow
-- large gets one early.
-- each of groups: lookUps, releases, ids.
local groups = ...

local position, answer = 0, { redis.call('TIME')[1] }

local function claim(group)
  local fields, fresh, mine = {}, {}, {}
  for i = 1, #group.ids, 2 do fields[#fields + 1] = group.ids[i] end
  local owners = redis.call('HMGET', group.lookUps, unpack(fields))
  for i, field in ipairs(fields) do
    local id = group.ids[2 * i]
    if not owners[i] then
      fresh[#fresh + 1] = field
      fresh[#fresh + 1] = id
    end
    if owners[i] and owners[i] ~= id then answer[#answer + 1] = position + i else mine[#mine + 1] = field end
  end
  if #fresh > 0 then
    if redis.call('HLEN', group.lookUps) + #fields >= 128
      and redis.call('OBJECT', 'ENCODING', group.lookUps) ~= 'hashtable' then
      redis.call('HSET', group.lookUps, '', string.rep('-', 100))
      redis.call('HDEL', group.lookUps, '')
    end
    redis.call('HSET', group.lookUps, unpack(fresh))
  end
  if #mine > 0 and redis.call('EXISTS', group.releases) == 1 then redis.call('HDEL', group.releases, unpack(mine)) end
  position = position + #fields
end

for _, group in ipairs(groups) do claim(group) end
return answer
