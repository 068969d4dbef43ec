-- What is open of a push. Answers the estimates, then channel, profile, whether there are stored pages, open lanes, and pages
-- of the direct queue, and of the page that is due last when that is and how it is booked if it is never sent, for each
-- profile that has any. Of many pages some tell which profiles they are of.
local ledger, record = ...
local part = include('pushes/stored-part')

local found, out = {}, { redis.call('HGET', record, RECORD.estimates) or '' }
local function workOf(text)
  local channel, profile = part.channel(text), part.profile(text)
  if not channel or not profile then return nil end
  local name = channel .. ' ' .. profile
  if not found[name] then
    found[name] = { channel, profile, 0, 0, 0, 0, '' }
    out[#out + 1] = found[name]
  end
  return found[name]
end

local pages = 0
for _, field in ipairs(redis.call('HKEYS', ledger)) do
  local lane = string.match(field, LEDGER.isPosition)
  if lane then
    local work = workOf(redis.call('HGET', ledger, LEDGER.lane .. lane) or '')
    if work then work[4] = 1 end
  elseif pages < MAX_PAGES and string.find(field, LEDGER.isPage) then
    pages = pages + 1
    local text = redis.call('HGET', ledger, field)
    local work = workOf(text)
    if work then
      work[3] = 1
      if part.isDirect(text) then work[5] = 1 end
      local dueAt = part.dueAt(text)
      if dueAt >= work[6] then work[6], work[7] = dueAt, part.booksAs(text) end
    end
  end
end
return out
