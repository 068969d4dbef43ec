-- Writes the pushes of one group commit that live in one push shard: claim, record and open-push entry together. Answers
-- for each 1, or when an earlier push has its req_id that one's id, whether its job must be added, and its text.
-- `claim` is the record again, and `claimMs` 0, without a req_id.
-- each of pushes: record, claim, id, claimMs, app, status, text, audience, where.
local open, now, pushes = ...
local addAll = include('kit/add-all')

local out, opened = {}, {}
for i, push in ipairs(pushes) do
  local record, id, claimMs = push.record, push.id, push.claimMs
  local owner = claimMs ~= '0' and redis.call('GET', push.claim)
  if owner then
    local earlier = string.sub(record, 1, #record - #id) .. owner
    local known = redis.call('HMGET', earlier, RECORD.state, RECORD.push)
    out[i] = { owner, known[1] == 'accepted' and 1 or 0, known[2] or '' }
  else
    if claimMs ~= '0' then redis.call('SET', push.claim, id, 'PX', claimMs) end
    redis.call('HSET', record, RECORD.app, push.app, RECORD.status, push.status, RECORD.push, push.text,
      RECORD.audience, push.audience, RECORD.where, push.where, RECORD.state, 'accepted', RECORD.updatedAt, now,
      RECORD.openParts, 0)
    opened[#opened + 1] = now
    opened[#opened + 1] = id
    out[i] = 1
  end
end
addAll('ZADD', open, opened)
return out
