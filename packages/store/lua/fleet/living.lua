-- Answers the facts of the processes that live, each with the time of its last beat. It writes nothing, because a Redis that
-- refuses writes is looked at, too.
local beats, facts = ...
local now = include('kit/now')

local living = {}
local since = '(' .. string.format('%.0f', now - DEAD_AFTER_MS)
for _, id in ipairs(redis.call('ZRANGEBYSCORE', beats, since, '+inf')) do
  local text = redis.call('HGET', facts, id)
  if text then living[#living + 1] = { text, redis.call('ZSCORE', beats, id) } end
end
return living
