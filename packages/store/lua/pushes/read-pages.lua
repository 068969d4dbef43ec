-- The same fields of many records, and behind them one page of each push.
-- each of pushes: record, ledger, page.
local pushes, fields = ...

local found = {}
for i, push in ipairs(pushes) do
  local values = redis.call('HMGET', push.record, unpack(fields))
  values[#values + 1] = redis.call('HGET', push.ledger, push.page)
  found[i] = values
end
return found
