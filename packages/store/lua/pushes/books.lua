-- Changes the books of pushes. `spent` of a push are fields that go: counters that came to zero, and at the end what
-- nobody needs any more. The rest lives for as long as records do, and the list of closed pushes says how large it is.
local addAll = include('kit/add-all')

local books = {}

-- Notes are the words of senders and channels: there is no end of them.
local function addTo(sums, counted)
  for i = 1, #counted, 2 do
    local name = counted[i]
    if not string.find(name, COLUMN.isNote) then sums[name] = (sums[name] or 0) + counted[i + 1] end
  end
end

-- Answers for each push, an error for one that fails: the others go on. What all of them counted is added to the totals.
function books.each(totals, pushes, change)
  local answers, sums = {}, {}
  for i, push in ipairs(pushes) do
    push.spent, push.counted = {}, {}
    local isDone, answer = pcall(change, push)
    answers[i] = isDone and answer or type(answer) == 'table' and answer or { err = tostring(answer) }
    if isDone then addTo(sums, push.counted) end
  end
  for name, count in pairs(sums) do redis.call('HINCRBY', totals, name, count) end
  return answers
end

local function acceptedIn(fields)
  local accepted = 0
  for i = 1, #fields, 2 do
    if string.match(fields[i], COLUMN.isAccepted) then accepted = accepted + fields[i + 1] end
  end
  return accepted
end

-- The size of what is kept of a closed push. Few verdicts stand in the samples of the errors as well, and are not kept.
local function keep(push)
  redis.call('PEXPIRE', push.record, push.retentionMs)
  local bytes = redis.call('MEMORY', 'USAGE', push.record, 'SAMPLES', 0)
  local kept = redis.call('HLEN', push.verdicts)
  if kept > MAX_SAMPLES then
    redis.call('PEXPIRE', push.verdicts, push.retentionMs)
    return bytes + redis.call('MEMORY', 'USAGE', push.verdicts)
  end
  if kept > 0 then redis.call('DEL', push.verdicts) end
  return bytes
end

function books.close(push, status, addressed)
  local record, spent, receipts = push.record, push.spent, tonumber(addressed or 0)
  for _, name in ipairs({ RECORD.state, RECORD.openParts, RECORD.addressed, RECORD.estimates }) do
    spent[#spent + 1] = name
  end
  if receipts > 0 then
    spent[#spent + 1] = RECORD.audience
    spent[#spent + 1] = RECORD.resolvedAudience
    if redis.call('HSTRLEN', record, RECORD.where) > MAX_DONE_WHERE then
      redis.call('HSET', record, RECORD.where, '{}')
    end
  else
    receipts = acceptedIn(redis.call('HGETALL', record))
  end
  redis.call('HDEL', record, unpack(spent))
  redis.call('HSET', record, RECORD.status, status, RECORD.updatedAt, push.now)
  redis.call('ZREM', push.open, push.id)
  redis.call('DEL', push.ledger)
  local bytes = keep(push)
  redis.call('RPUSH', push.closed, push.id .. bytes + RECEIPT_BYTES * math.min(receipts, MAX_EXACT_RECEIPTS))
end

function books.addCounters(push)
  local counters, spent = push.counters, push.spent
  push.counted = counters
  for i = 1, #counters, 2 do
    local name = counters[i]
    if redis.call('HINCRBY', push.record, name, counters[i + 1]) == 0 then spent[#spent + 1] = name end
  end
end

local function addSamples(record, name, samples)
  local kept = redis.call('HGET', record, name) or ''
  local _, known = string.gsub(kept, '%S+', '')
  for id in string.gmatch(samples, '%S+') do
    if known < MAX_SAMPLES then
      kept = kept .. ' ' .. id
      known = known + 1
    end
  end
  redis.call('HSET', record, name, kept)
end

local function addVerdicts(push)
  local refused = push.refused
  if #refused == 0 then return end
  local room = MAX_VERDICTS - redis.call('HLEN', push.verdicts)
  for i = 1, #refused, 2 do
    if room > 0 then
      room = room - redis.call('HSET', push.verdicts, refused[i], refused[i + 1])
    else
      redis.call('HSET', push.record, RECORD.verdictsCut, 1)
    end
  end
end

function books.addErrors(push)
  local record = push.record
  for _, found in ipairs(push.errors) do
    redis.call('HINCRBY', record, ERROR.count .. found.key, found.count)
    if found.message ~= '' then redis.call('HSETNX', record, ERROR.message .. found.key, found.message) end
    addSamples(record, ERROR.samples .. found.key, found.samples)
  end
  addVerdicts(push)
end

books.addAll = addAll
return books
