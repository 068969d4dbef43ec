-- Stores the records of one shard that are not there yet, with their index entries. Answers a letter for each: new, the
-- same, or another version; what was claimed too long ago, or is fenced, or comes from a process that does not know all
-- columns that are indexed, gets a closer look like another version.
-- each of rows: objectId, address, text, bytes.
-- each of places: place, value, member, numbers.
local records, fences, bytes, stamp, claimedAt, generation, rows, places = ...

local ids, fresh, found, grown = {}, {}, {}, 0
for i, row in ipairs(rows) do ids[i] = row.objectId end
local texts = redis.call('HMGET', records, unpack(ids))
local isLate = claimedAt ~= '' and redis.call('TIME')[1] - claimedAt > CLAIM_SECONDS
  or generation < tonumber(redis.call('GET', stamp) or 0)
local hasFences = redis.call('EXISTS', fences) == 1

local function letterOf(row, text)
  if text then return text == row.text and 's' or 'o' end
  if isLate or hasFences and redis.call('ZSCORE', fences, row.objectId) then return 'o' end
  return 'n'
end

for i, row in ipairs(rows) do
  found[i] = letterOf(row, texts[i])
  if found[i] == 'n' then
    fresh[#fresh + 1] = row.objectId
    fresh[#fresh + 1] = row.text
    grown = grown + row.bytes
  end
end
if #fresh > 0 then redis.call('HSET', records, unpack(fresh)) end
if grown > 0 then redis.call('INCRBY', bytes, grown) end

for _, one in ipairs(places) do
  local members = {}
  for number in string.gmatch(one.numbers, '%d+') do
    local i = tonumber(number)
    if found[i] == 'n' then
      members[#members + 1] = 0
      members[#members + 1] = one.value .. rows[i][one.member]
    end
  end
  if #members > 0 then redis.call('ZADD', one.place, unpack(members)) end
end
return table.concat(found)
