-- Adds entries to the index of a column. Answers how many were missing from records that still are what was read; a record
-- that changed meanwhile may get one too many, which is found out when it is read.
-- each of entries: objectId, digest, member.
local records, index, entries = ...

local missing, same = 0, {}
for _, one in ipairs(entries) do
  if same[one.objectId] == nil then
    local text = redis.call('HGET', records, one.objectId)
    same[one.objectId] = text and (redis.sha1hex(text) == one.digest and 'same' or 'other') or 'none'
  end
  local known = same[one.objectId]
  if known ~= 'none' then
    local added = redis.call('ZADD', index, 0, one.member)
    if known == 'same' then missing = missing + added end
  end
end
return missing
