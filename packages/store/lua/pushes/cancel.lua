#!lua flags=allow-oom
-- Cancels pushes. One that is not dispatched is closed at once; of the others, whoever folds next learns of it. Answers 0
-- when there was nothing to cancel.
-- each of pushes: record, ledger, verdicts, kept, open, closed, id, now, retentionMs, addressedMs, mayPack.
local totals, pushes = ...
local books = include('pushes/books')

return books.each(totals, pushes, function(push)
  local record, now = push.record, push.now
  if redis.call('EXISTS', record) == 0 or redis.call('HSETNX', record, RECORD.cancelled, now) == 0 then return 0 end
  redis.call('HSET', record, RECORD.updatedAt, now)
  if redis.call('HGET', record, RECORD.state) == 'accepted' then
    books.forgetDevices(record)
    books.close(push, 'done')
  end
  return 1
end)
