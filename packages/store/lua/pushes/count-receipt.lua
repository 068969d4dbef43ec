#!lua flags=allow-oom
-- Counts a receipt once, in the record of a push of this app.
local record, seen, sketch, totals, app, counter, member = ...
local count = include('kit/count')
local dropText = include('pushes/drop-text')

local life = redis.call('PTTL', record)
local owner = redis.call('HMGET', record, RECORD.app, RECORD.packedApp)
if (owner[1] or owner[2]) ~= app then return 0 end
local isNew
if redis.call('SCARD', seen) < MAX_EXACT_RECEIPTS then
  isNew = redis.call('SADD', seen, member)
elseif redis.call('SISMEMBER', seen, member) == 1 then
  isNew = 0
else
  isNew = redis.call('PFADD', sketch, member)
end
if life < 0 then life = OPEN_PUSH_MS end
redis.call('PEXPIRE', seen, life)
redis.call('PEXPIRE', sketch, life)
if isNew == 1 then
  count(record, counter, 1)
  count(totals, counter, 1)
end
if counter == OWN.delivered then
  redis.call('SREM', record .. OWN.lost, member)
  dropText(record)
end
return isNew
