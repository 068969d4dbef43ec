-- Changes the books of pushes. `changed` of a push are fields and their new values, for its one write. `spent` are fields
-- that go: counters that came to zero, and at the end what nobody needs any more. The rest lives for as long as records
-- do, and the list of closed pushes says how large it is.
local addAll = include('kit/add-all')
local count = include('kit/count')
local dropText = include('pushes/drop-text')
local totals = include('pushes/totals')
local pack = include('pushes/packed')

local books = {}

-- Answers for each push, an error for one that fails: the others go on. What all of them counted is added to the totals.
function books.each(total, pushes, change)
  local answers, sums = {}, {}
  for i, push in ipairs(pushes) do
    push.spent, push.changed, push.counted = {}, {}, {}
    local isDone, answer = pcall(change, push)
    answers[i] = isDone and answer or type(answer) == 'table' and answer or { err = tostring(answer) }
    if isDone then totals.sum(sums, push.counted) end
  end
  totals.add(total, sums)
  return answers
end

local function acceptedIn(fields)
  local accepted = 0
  for i = 1, #fields, 2 do
    if string.match(fields[i], COLUMN.isAccepted) then accepted = accepted + (tonumber(fields[i + 1]) or 0) end
  end
  return accepted
end

-- The size of what is kept of a closed push. Few verdicts stand in the samples of the errors as well, and are not kept.
local function keep(push, retentionMs, isAddressed)
  redis.call('PEXPIRE', push.record, retentionMs)
  local bytes = redis.call('MEMORY', 'USAGE', push.record, 'SAMPLES', 0)
  -- Those of an audience have a bound of their own.
  if redis.call('PEXPIRE', push.kept, retentionMs) == 1 and isAddressed then
    bytes = bytes + redis.call('MEMORY', 'USAGE', push.kept)
  end
  local kept = redis.call('HLEN', push.verdicts)
  if kept > MAX_SAMPLES then
    redis.call('PEXPIRE', push.verdicts, retentionMs)
    return bytes + redis.call('MEMORY', 'USAGE', push.verdicts)
  end
  if kept > 0 then redis.call('DEL', push.verdicts) end
  return bytes
end

-- Receipts that came before the end are kept as long as what they are counted in.
local function keepReceipts(push, kinds, retentionMs)
  for kind in pairs(kinds) do
    for _, suffix in ipairs({ '', ':sketch' }) do
      redis.call('PEXPIRE', push.record .. ':' .. kind .. suffix, retentionMs)
    end
  end
end

local function put(push, name, value)
  local changed = push.changed
  changed[#changed + 1] = name
  changed[#changed + 1] = value
end

-- Writes what has changed of a record, and how it stands now.
function books.write(push, name, value)
  put(push, name, value)
  put(push, RECORD.updatedAt, push.now)
  redis.call('HSET', push.record, unpack(push.changed))
  if #push.spent > 0 then redis.call('HDEL', push.record, unpack(push.spent)) end
end

local function closeAddressed(push, status, values)
  if #(values[RECORD.where] or '') > MAX_DONE_WHERE then put(push, RECORD.where, '{}') end
  if push.mayPack == '1' then
    for _, name in ipairs(push.spent) do values[name] = nil end
    for i = 1, #push.changed, 2 do values[push.changed[i]] = tostring(push.changed[i + 1]) end
    values[RECORD.status], values[RECORD.updatedAt] = status, push.now
    if pack(push.record, values) then return end
  end
  books.write(push, RECORD.status, status)
end

-- Where the number of addressed devices is damaged, the push is closed as one to an audience, of which more is kept.
function books.close(push, status, addressed)
  local record, spent, receipts = push.record, push.spent, tonumber(addressed) or 0
  local isAddressed = receipts > 0
  local kept, values, reported = redis.call('HGETALL', record), {}, {}
  for i = 1, #kept, 2 do
    values[kept[i]] = kept[i + 1]
    local counter = string.match(kept[i], COLUMN.counter)
    if counter == COLUMN.delivered or counter == COLUMN.clicked then reported[counter] = true end
  end
  local retentionMs = tonumber(values[RECORD.keepMs]) or isAddressed and push.addressedMs or push.retentionMs
  for _, name in ipairs({ RECORD.state, RECORD.openParts, RECORD.addressed, RECORD.estimates, RECORD.keepMs }) do
    spent[#spent + 1] = name
  end
  if isAddressed then
    spent[#spent + 1] = RECORD.audience
    spent[#spent + 1] = RECORD.resolvedAudience
    closeAddressed(push, status, values)
  else
    books.write(push, RECORD.status, status)
    receipts = acceptedIn(redis.call('HGETALL', record))
  end
  redis.call('ZREM', push.open, push.id)
  redis.call('DEL', push.ledger)
  keepReceipts(push, reported, retentionMs)
  if values[OWN.delivered] or values[OWN.lapsed] then dropText(record) end
  local bytes = keep(push, retentionMs, isAddressed)
  redis.call('RPUSH', push.closed, push.id .. bytes + RECEIPT_BYTES * math.min(receipts, MAX_EXACT_RECEIPTS))
end

-- A longer audience is a list of devices: what is left to be sent of it stands in the plan.
function books.forgetDevices(record)
  if redis.call('HSTRLEN', record, RECORD.audience) <= MAX_KEPT_AUDIENCE then return end
  redis.call('HSET', record, RECORD.audience, '{"isForgotten":true}', RECORD.where, '{}')
end

-- `names`, with those of the counters behind them: all are read at once.
function books.withCounters(push, names)
  for i = 1, #push.counters, 2 do names[#names + 1] = push.counters[i] end
  return names
end

-- `known` are the values of these names, of which `before` are no counters. One that is damaged begins anew: its vendor was
-- called, and would be called again if that were not booked. That the books do not add up then is told.
function books.addCounters(push, known, before)
  local counters, spent = push.counters, push.spent
  push.counted = counters
  for i = 1, #counters, 2 do
    local sum = (tonumber(known[before + (i + 1) / 2] or 0) or 0) + counters[i + 1]
    if sum == 0 then spent[#spent + 1] = counters[i] else put(push, counters[i], sum) end
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

-- Keeps a frame of outcomes: a small one in the record, behind `lines`. `told` are the devices and the bytes of the larger
-- ones so far; a frame that would not fit any more is left out, and the numbers say so.
function books.addOutcomes(push, lines, told)
  local frame = push.outcomes
  if frame == '' then return end
  lines = lines or ''
  if not string.find(frame, '\n', 1, true) and #lines + #frame < MAX_OUTCOME_LINES then
    put(push, RECORD.outcomes, lines == '' and frame or lines .. '\n' .. frame)
    return
  end
  local devices, bytes = string.match(told or '0 0', '^(%d+) (%d+)$')
  devices, bytes = devices or 0, tonumber(bytes or 0) + #frame
  if bytes > push.outcomeBytes then return end
  local frames = redis.call('RPUSH', push.kept, frame)
  -- The close sets the time that they have; a process of an earlier release, which may close the push, knows nothing of them.
  if frames == 1 then redis.call('PEXPIRE', push.kept, OPEN_OUTCOMES_MS) end
  put(push, RECORD.told, string.format('%.0f %.0f', devices + push.told, bytes))
end

function books.addErrors(push)
  local record = push.record
  for _, found in ipairs(push.errors) do
    count(record, ERROR.count .. found.key, found.count)
    if found.message ~= '' then redis.call('HSETNX', record, ERROR.message .. found.key, found.message) end
    addSamples(record, ERROR.samples .. found.key, found.samples)
  end
  addVerdicts(push)
end

books.addAll = addAll
return books
