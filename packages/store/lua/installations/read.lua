-- Reads records with their addresses, and refreshes those that hold what their device saves anyway.
-- Answers for each its text, its address, its fence and whether it was refreshed; '' for what is not there.
-- each of asked: records, fences, unconfirmed, buckets, objectId, from, to, stamp, address, isConfirmed, members.
local asked = ...

local refreshed = include('installations/refreshed')

local function read(one)
  local text = redis.call('HGET', one.records, one.objectId)
  local fence = redis.call('ZSCORE', one.fences, one.objectId) or ''
  if not text then return { '', '', fence, 0 } end
  local bucket, address = string.match(text, '^[^\n]*'), ''
  if bucket ~= '' then
    address = redis.call('ZRANGEBYLEX', one.buckets .. bucket, one.from, one.to, 'LIMIT', 0, 1)[1] or ''
  end
  local isAsked = one.stamp ~= '' and (one.address == '' or one.address == address)
  local newer = isAsked and refreshed(text, one.stamp, one.members)
  if newer then
    if newer ~= text then redis.call('HSET', one.records, one.objectId, newer) end
    if one.isConfirmed == '1' then redis.call('ZREM', one.unconfirmed, one.objectId) end
  end
  return { newer or text, address, fence, newer and 1 or 0 }
end

local answers = {}
for i, one in ipairs(asked) do answers[i] = read(one) end
return answers
