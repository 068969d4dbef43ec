#!lua flags=allow-oom
-- Writes versions of records that still are what was read, each with its index entries in the same step. Answers 1 for
-- each that is written, 0 where it is not: the record changed, or what it claimed was claimed too long ago, or its writer
-- does not know all columns that are indexed.
-- each of versions: objectId, fence, from, to, claimedAt, growth, standing, generation, leave, join.
-- each of leave: place, member.
-- each of join: place, member.
local records, fences, bytes, unconfirmed, stamp, versions = ...

local fence = include('installations/fences')

local generation = tonumber(redis.call('GET', stamp) or 0)

local function isAsRead(one)
  if one.generation < generation then return false end
  if (redis.call('HGET', records, one.objectId) or '') ~= one.from then return false end
  if fence.of(fences, one.objectId) ~= one.fence then return false end
  if one.claimedAt ~= '' and redis.call('TIME')[1] - one.claimedAt > CLAIM_SECONDS then return false end
  return one.standing ~= 'evicted' or redis.call('ZSCORE', unconfirmed, one.objectId)
end

local function mark(one)
  if one.to == '' or one.standing == 'confirmed' then redis.call('ZREM', unconfirmed, one.objectId)
  elseif one.standing ~= '' then redis.call('ZADD', unconfirmed, one.standing, one.objectId) end
  if one.growth ~= '0' and redis.call('INCRBY', bytes, one.growth) <= 0 then redis.call('DEL', bytes) end
end

local function write(one)
  if not isAsRead(one) then return 0 end
  for _, entry in ipairs(one.leave) do redis.call('ZREM', entry.place, entry.member) end
  for _, entry in ipairs(one.join) do redis.call('ZADD', entry.place, 0, entry.member) end
  if one.to == '' then
    redis.call('HDEL', records, one.objectId)
    fence.put(fences, one.objectId)
  else
    redis.call('HSET', records, one.objectId, one.to)
  end
  mark(one)
  return 1
end

local answers = {}
for i, one in ipairs(versions) do answers[i] = write(one) end
return answers
