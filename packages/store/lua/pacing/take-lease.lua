-- Takes units of a rate. Each part of a rate is a point in time up to which it is booked; a grant books what it takes, at an
-- even pace. What is larger than a burst is granted when the part rests, and booked whole. Answers units, or 0 and how long
-- to wait.
-- each of parts: name, share.
local rate, perSecond, want, least, parts = ...

local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local granted, wait = 0, nil
for _, part in ipairs(parts) do
  part.limit = perSecond * part.share
  part.pace = part.limit * PACE / 1000
  part.booked = math.max(now, tonumber(redis.call('HGET', rate, part.name) or 0))
  part.take = math.max(0, math.min(want - granted, math.floor((now + BURST_MS - part.booked) * part.pace)))
  granted = granted + part.take
end

local function book(part, untilMs)
  redis.call('HSET', rate, part.name, string.format('%.3f', untilMs))
  redis.call('PEXPIRE', rate, math.ceil(untilMs - now) + 60000)
end

if granted >= least then
  for _, part in ipairs(parts) do if part.take > 0 then book(part, part.booked + part.take / part.pace) end end
  return { granted, 0 }
end
for _, part in ipairs(parts) do
  local ahead = least / part.pace
  if part.booked <= now then
    local perWindow = math.floor(part.limit / least)
    book(part, now + (perWindow > 0 and math.max(ahead, 1000 / perWindow) or ahead))
    return { least, 0 }
  end
  local waits = part.booked - now
  if ahead <= BURST_MS then waits = waits + ahead - BURST_MS end
  wait = math.min(wait or waits, waits)
end
return { 0, math.ceil(wait) }
