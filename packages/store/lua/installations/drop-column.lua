-- Removes what a shard holds of a column, and has it refuse what was made with an earlier generation of the columns of its
-- app. Answers 0, and nothing is removed, when it has seen a later one.
local stamp, index, names, doubts, generation, terms = ...

local seen = tonumber(redis.call('GET', stamp) or 0)
if seen > tonumber(generation) then return 0 end
if seen < tonumber(generation) then redis.call('SET', stamp, generation) end
redis.call('UNLINK', index)
for _, term in ipairs(terms) do
  redis.call('HDEL', names, term)
  redis.call('HDEL', doubts, term)
end
return 1
