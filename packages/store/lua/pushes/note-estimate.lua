-- Notes when a push that waits will be done on one channel, by the devices that are left. A record that is gone stays gone.
local record, channel, devicesPerMs, now = ...

local column = COLUMN.prefix .. channel .. COLUMN.separator
local known = redis.call('HMGET', record, RECORD.status, column .. COLUMN.expected, column .. COLUMN.matched,
  column .. COLUMN.outstanding, RECORD.estimates)
if known[1] ~= 'in-queue' then return 0 end
local expected, matched, outstanding = tonumber(known[2]) or 0, tonumber(known[3]) or 0, tonumber(known[4]) or 0
local left = math.max(0, expected - matched) + outstanding
local estimates = { channel .. '=' .. string.format('%.0f', math.ceil(now + left / devicesPerMs)) }
for other, at in string.gmatch(known[5] or '', '(%S+)=(%d+)') do
  if other ~= channel then estimates[#estimates + 1] = other .. '=' .. at end
end
redis.call('HSET', record, RECORD.estimates, table.concat(estimates, ' '))
return 1
