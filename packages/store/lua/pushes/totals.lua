-- Sums up counters of many pushes, to be added to the totals of their shard. Notes are the words of senders and channels,
-- without end; what is expected or outstanding says nothing once it is summed up.
local count = include('kit/count')

local totals = {}

-- Of the names that were asked for: pushes that are booked together share them.
local known = {}

local function isCounted(name)
  if known[name] == nil then
    known[name] = not (string.find(name, COLUMN.isNote) or string.find(name, COLUMN.isExpected)
      or string.find(name, COLUMN.isOutstanding))
  end
  return known[name]
end

function totals.sum(sums, counters)
  for i = 1, #counters, 2 do
    local name = counters[i]
    if isCounted(name) then sums[name] = (sums[name] or 0) + counters[i + 1] end
  end
end

function totals.add(key, sums)
  for name, sum in pairs(sums) do count(key, name, sum) end
end

return totals
