-- Closes pushes that nobody can read: what each leaves outstanding has failed. `repaired` are fields and the values that
-- take the place of the unreadable ones. Answers 0 for one that was closed before.
-- each of pushes: record, ledger, verdicts, kept, open, closed, id, now, retentionMs, addressedMs, mayPack, repaired.
local totals, pushes = ...
local books = include('pushes/books')
local count = include('kit/count')

return books.each(totals, pushes, function(push)
  local record, spent = push.record, push.spent
  if redis.call('HEXISTS', record, RECORD.state) == 0 then return 0 end
  books.addAll('HSET', record, push.repaired)
  for _, name in ipairs(redis.call('HKEYS', record)) do
    local channel = string.match(name, COLUMN.isOutstanding)
    if channel then
      local left = tonumber(redis.call('HGET', record, name)) or 0
      local failed = COLUMN.prefix .. channel .. COLUMN.internalError
      push.counted = { failed, left, name, -left, unpack(push.counted) }
      count(record, failed, left)
      count(record, ERROR.count .. channel .. ERROR.internalError, left)
      spent[#spent + 1] = name
    end
  end
  books.close(push, 'error', redis.call('HGET', record, RECORD.addressed))
  return 1
end)
