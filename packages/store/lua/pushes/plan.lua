-- Dispatches pushes, each once: its plan into the ledger, its first books into the record. Answers 1, or 0 for one that
-- was dispatched before.
-- each of pushes: record, ledger, verdicts, kept, open, closed, id, now, retentionMs, addressedMs, mayPack, lanes, pages,
--   devices, entries, counters, errors, refused, outcomes, told, outcomeBytes.
-- each of errors: key, count, message, samples.
local totals, pushes = ...
local books = include('pushes/books')

return books.each(totals, pushes, function(push)
  local record, parts = push.record, push.lanes + push.pages
  if redis.call('HGET', record, RECORD.state) ~= 'accepted' then return 0 end
  local fields = {
    RECORD.state, 'dispatched', RECORD.status, 'in-queue', RECORD.updatedAt, push.now, RECORD.openParts, parts,
    RECORD.addressed, push.devices,
  }
  for _, value in ipairs(push.counters) do fields[#fields + 1] = value end
  books.addOutcomes(push)
  for _, value in ipairs(push.changed) do fields[#fields + 1] = value end
  books.addAll('HSET', record, fields)
  push.counted = push.counters
  books.addErrors(push)
  if push.lanes == 0 then books.forgetDevices(record) end
  if parts == 0 then
    books.close(push, 'done', push.devices)
    return 1
  end
  books.addAll('HSET', push.ledger, push.entries)
  redis.call('ZADD', push.open, push.now, push.id)
  return 1
end)
