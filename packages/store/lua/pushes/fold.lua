#!lua flags=allow-oom
-- Folds pages, each once: outcomes and resume point together. `part` is the field of the ledger, `expected` the value that
-- it must hold ('' for a page), `following` the next one ('done' closes a lane). Answers state ('gone', 'stale', 'cancelled'
-- or the status of the record) and the numbers of the retry pages.
-- each of pushes: record, ledger, verdicts, kept, open, closed, id, now, retentionMs, addressedMs, mayPack, part, expected,
--   following, retries, counters, errors, refused, outcomes, told, outcomeBytes.
-- each of errors: key, count, message, samples.
local totals, pushes = ...
local books = include('pushes/books')

local function isDue(push)
  if push.expected == '' then return redis.call('HEXISTS', push.ledger, push.part) == 1 end
  return redis.call('HGET', push.ledger, push.part) == push.expected
end

local function keepRetries(push)
  local numbers = {}
  for i, page in ipairs(push.retries) do
    numbers[i] = redis.call('HINCRBY', push.ledger, LEDGER.pageCount, 1)
    redis.call('HSET', push.ledger, LEDGER.page .. numbers[i], page)
  end
  return numbers
end

-- As the ledger has it: for a record whose own count is damaged.
local function partsLeft(ledger)
  local left = 0
  for _, name in ipairs(redis.call('HKEYS', ledger)) do
    if string.match(name, LEDGER.isPosition) or string.match(name, LEDGER.isPage) then left = left + 1 end
  end
  return left
end

local function moveOn(push, isClosed)
  if isClosed then
    redis.call('HDEL', push.ledger, push.part, LEDGER.tries .. push.part)
  else
    redis.call('HSET', push.ledger, push.part, push.following)
    redis.call('HDEL', push.ledger, LEDGER.tries .. push.part)
  end
end

return books.each(totals, pushes, function(push)
  local names = books.withCounters(push, {
    RECORD.status, RECORD.cancelled, RECORD.openParts, RECORD.addressed, RECORD.outcomes, RECORD.told,
  })
  local known = redis.call('HMGET', push.record, unpack(names))
  local status, isCancelled = known[1], known[2]
  if not status then return { 'gone' } end
  if not isDue(push) then return { 'stale' } end
  local left = tonumber(known[3]) or partsLeft(push.ledger)
  books.addCounters(push, known, 6)
  books.addOutcomes(push, known[5], known[6])
  books.addErrors(push)
  local numbers = keepRetries(push)
  left = left + #numbers
  local isClosed = push.expected == '' or push.following == 'done'
  if isClosed then left = left - 1 end
  if left == 0 then
    books.close(push, 'done', known[4])
    return { isCancelled and 'cancelled' or 'done', unpack(numbers) }
  end
  moveOn(push, isClosed)
  books.write(push, RECORD.openParts, left)
  return { isCancelled and 'cancelled' or status, unpack(numbers) }
end)
