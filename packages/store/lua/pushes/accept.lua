-- Writes the pushes of one group commit that live in one push shard: claim, record and open-push entry together, and the
-- plan of a push that has one. Answers for each 1, or when an earlier push has its req_id that one's id, whether its job
-- must be added, whether it was cancelled, and its text; '' for one that is packed or gone.
-- `claim` is the record again, and `claimMs` 0, without a req_id. `parts` is 0 without a plan.
-- each of pushes: record, ledger, claim, id, claimMs, app, status, text, audience, where, keepMs, parts, devices,
--   counters, entries.
local open, total, now, pushes = ...
local addAll = include('kit/add-all')
local totals = include('pushes/totals')

local out, opened, sums = {}, {}, {}

local function write(push)
  local isPlanned = push.parts ~= '0'
  local fields = {
    RECORD.app, push.app, RECORD.status, push.status, RECORD.push, push.text, RECORD.audience, push.audience,
    RECORD.where, push.where, RECORD.state, isPlanned and 'dispatched' or 'accepted', RECORD.updatedAt, now,
    RECORD.openParts, push.parts,
  }
  if push.keepMs ~= '' then
    fields[#fields + 1] = RECORD.keepMs
    fields[#fields + 1] = push.keepMs
  end
  if isPlanned then
    fields[#fields + 1] = RECORD.addressed
    fields[#fields + 1] = push.devices
    for _, value in ipairs(push.counters) do fields[#fields + 1] = value end
    totals.sum(sums, push.counters)
    addAll('HSET', push.ledger, push.entries)
  end
  redis.call('HSET', push.record, unpack(fields))
end

for i, push in ipairs(pushes) do
  local record, id, claimMs = push.record, push.id, push.claimMs
  local owner = claimMs ~= '0' and redis.call('GET', push.claim)
  if owner then
    local earlier = string.sub(record, 1, #record - #id) .. owner
    local known = redis.call('HMGET', earlier, RECORD.state, RECORD.push, RECORD.app, RECORD.cancelled)
    out[i] = { owner, known[1] == 'accepted' and 1 or 0, known[4] and 1 or 0, known[3] and known[2] or '' }
  else
    if claimMs ~= '0' then redis.call('SET', push.claim, id, 'PX', claimMs) end
    write(push)
    opened[#opened + 1] = now
    opened[#opened + 1] = id
    out[i] = 1
  end
end
addAll('ZADD', open, opened)
totals.add(total, sums)
return out
