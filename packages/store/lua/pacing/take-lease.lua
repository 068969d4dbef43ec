-- Takes units of a rate. Each part of a rate is a point in time up to which it is booked; a grant books what it takes, at an
-- even pace. What is larger than a burst is granted when the part rests, and booked whole. Answers units, or 0 and how long
-- to wait. Takers of one rate who are named go by the time at which all of it would have earned them what they want: one that
-- is refused is let go first from then on, if it comes back when it was told to.
-- `AT` is the field with the time of the last booking.
-- each of parts: name, share.
local rate, taker, perSecond, want, least, parts = ...

local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local granted = 0

-- A clock that was set back takes the times along that it wrote: nothing would be granted until it was there again.
local function followClock()
  local back = tonumber(redis.call('HGET', rate, AT) or now) - now
  if back <= 0 then return end
  local fields = redis.call('HGETALL', rate)
  for i = 1, #fields, 2 do
    local times = string.gsub(fields[i + 1], '%S+', function(ms) return string.format('%.3f', ms - back) end)
    redis.call('HSET', rate, fields[i], times)
  end
end

followClock()
for _, part in ipairs(parts) do
  part.limit = perSecond * part.share
  part.pace = part.limit * PACE / 1000
  part.booked = math.max(now, tonumber(redis.call('HGET', rate, part.name) or 0))
  part.take = math.max(0, math.min(want - granted, math.floor((now + BURST_MS - part.booked) * part.pace)))
  granted = granted + part.take
end

local function readWaiter(text)
  local due, back = string.match(text or '', '^(%S+) (%S+)$')
  return tonumber(due), tonumber(back)
end

local mine = WAITER .. taker
local due = readWaiter(redis.call('HGET', rate, mine)) or now + least / parts[1].pace

local function refuse(waitMs)
  if taker ~= '' then redis.call('HSET', rate, mine, string.format('%.3f %.3f', due, now + waitMs)) end
  return { 0, math.ceil(waitMs) }
end

local function grant(units)
  if taker ~= '' then redis.call('HDEL', rate, mine) end
  return { units, 0 }
end

local function book(part, untilMs)
  redis.call('HSET', rate, part.name, string.format('%.3f', untilMs), AT, string.format('%.3f', now))
  redis.call('PEXPIRE', rate, math.ceil(untilMs - now) + 60000)
end

-- How long somebody else is waited for who is due earlier, and is not late.
local function othersTurnMs()
  local fields = redis.call('HGETALL', rate)
  for i = 1, #fields, 2 do
    if string.sub(fields[i], 1, #WAITER) == WAITER and fields[i] ~= mine then
      local earlier, back = readWaiter(fields[i + 1])
      if earlier and earlier < due and now < back + LATE_MS then return math.max(0, back - now) + TURN_MS end
    end
  end
end

local function bookAll()
  for _, part in ipairs(parts) do if part.take > 0 then book(part, part.booked + part.take / part.pace) end end
end

local othersMs = taker ~= '' and othersTurnMs()
if othersMs then return refuse(othersMs) end
if granted >= least then
  bookAll()
  return grant(granted)
end
-- A part that rests grants all of it. Until one rests, what fits in a burst waits for a part with room for it.
local wait
for _, part in ipairs(parts) do
  local ahead = least / part.pace
  if part.booked <= now then
    local perWindow = math.floor(part.limit / least)
    book(part, now + (perWindow > 0 and math.max(ahead, 1000 / perWindow) or ahead))
    return grant(least)
  end
  local waits = part.booked - now
  if ahead <= BURST_MS then waits = waits + ahead - BURST_MS end
  wait = math.min(wait or waits, waits)
end
return refuse(wait)
