-- Removes entries of a column's index whose records still are what was read: they do not have the value.
-- each of entries: objectId, text, member.
local records, index, entries = ...

local dropped = 0
for _, one in ipairs(entries) do
  if (redis.call('HGET', records, one.objectId) or '') == one.text then
    dropped = dropped + redis.call('ZREM', index, one.member)
  end
end
return dropped
