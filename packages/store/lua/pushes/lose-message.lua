#!lua flags=allow-oom
-- Counts devices whose full mailboxes lost what a push says on the own channel, and notes them until it expires; a record that
-- is gone stays gone. One that confirmed the message before is not noted: it would stand in the place of another. With a text
-- that is gone, every device has been counted, or is when the push expires.
local record, totals, text, lost, delivered, counter, members = ...
local count = include('kit/count')
local dropText = include('pushes/drop-text')

local lifeMs = redis.call('PTTL', text)
if lifeMs <= 0 or redis.call('EXISTS', record) == 0 then return 1 end
count(record, counter, #members)
count(totals, counter, #members)
for _, member in ipairs(members) do
  if redis.call('SISMEMBER', delivered, member) == 0 and redis.call('SCARD', lost) < OWN.mostDevices then
    redis.call('SADD', lost, member)
  end
end
redis.call('PEXPIRE', lost, lifeMs)
dropText(record)
return 1
