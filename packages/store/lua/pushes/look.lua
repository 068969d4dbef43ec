-- A push as its watcher sees it. Answers the text of the push, its state, whether the books add up, `direct` or `bulk` of
-- the stored pages, then channels: of open lanes behind `lane`, of columns with devices outstanding behind `page`, of
-- devices without a verdict behind their number.
local record, ledger = ...
local part = include('pushes/stored-part')

local function columnsOf(fields)
  local balance, outstanding, left = {}, {}, {}
  for i = 1, #fields, 2 do
    local channel, counter = string.match(fields[i], COLUMN.pattern)
    if channel then
      local count, kind = tonumber(fields[i + 1]), string.sub(counter, 1, 2)
      local before, rest = balance[channel] or 0, left[channel] or 0
      if counter == COLUMN.matched then balance[channel] = before + count
      elseif counter == COLUMN.expected then left[channel] = rest + count
      elseif counter == COLUMN.accepted or kind == COLUMN.discarded or kind == COLUMN.failed then
        balance[channel], left[channel] = before - count, rest - count
      elseif counter == COLUMN.outstanding then
        balance[channel], outstanding[channel] = before - count, count
      end
    end
  end
  return balance, outstanding, left
end

local function addsUp(isDone, balance, outstanding)
  for _, rest in pairs(balance) do if rest ~= 0 then return 0 end end
  for _, count in pairs(outstanding) do if count < 0 or (isDone and count ~= 0) then return 0 end end
  return 1
end

local function stateOf(isDone, state, status)
  if isDone then return 'done' end
  if state == 'dispatched' then return 'dispatched' end
  return status == 'scheduled' and 'scheduled' or 'accepted'
end

-- Notes a channel for each open lane, and answers the field of a page.
local function readLedger(note)
  local seen, page = {}, nil
  for _, field in ipairs(redis.call('HKEYS', ledger)) do
    local lane = string.match(field, LEDGER.isPosition)
    if lane then
      local channel = part.channel(redis.call('HGET', ledger, LEDGER.lane .. lane) or '')
      if channel and not seen[channel] then
        seen[channel] = true
        note('lane', channel)
      end
    elseif not page and string.find(field, LEDGER.isPage) then page = field end
  end
  return page
end

local known = redis.call('HMGET', record, RECORD.push, RECORD.state, RECORD.status)
if not known[3] then return {} end
local isDone = known[3] == 'done' or known[3] == 'error'
local balance, outstanding, left = columnsOf(redis.call('HGETALL', record))
local state = stateOf(isDone, known[2], known[3])
local out = { known[1] or '', state, addsUp(isDone, balance, outstanding), 'bulk' }
if state ~= 'dispatched' then return out end
local function note(what, channel)
  out[#out + 1] = what
  out[#out + 1] = channel
end
for channel, count in pairs(left) do if count > 0 then note(tostring(count), channel) end end
local page = readLedger(note)
if not page then return out end
if part.isDirect(redis.call('HGET', ledger, page) or '') then out[4] = 'direct' end
for channel, count in pairs(outstanding) do if count > 0 then note('page', channel) end end
return out
