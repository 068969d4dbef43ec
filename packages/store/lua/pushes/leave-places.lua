-- Gives the places of a push in the schedule of an app back.
local schedule, further, number, id = ...

redis.call('ZREM', schedule, number .. ' ' .. id)
local n = 2
while redis.call('ZREM', further, id .. ' ' .. n) == 1 do n = n + 1 end
