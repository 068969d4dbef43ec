-- Notes that a worker lives, or only looks for ''. Answers its rank, -1 for none, and the number of living workers.
local workers, worker = ...
local now = include('kit/now')

redis.call('ZREMRANGEBYSCORE', workers, '-inf', now - DEAD_AFTER_MS)
if worker ~= '' then redis.call('ZADD', workers, now, worker) end
local living = redis.call('ZRANGE', workers, 0, -1)
table.sort(living)
for i, other in ipairs(living) do if other == worker then return { i - 1, #living } end end
return { -1, #living }
