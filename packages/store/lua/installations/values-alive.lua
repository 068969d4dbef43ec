-- For each value of a column 1 if an installation of the shard has it, else 0.
-- each of ranges: index, from, to.
local ranges = ...

local out = {}
for i, one in ipairs(ranges) do out[i] = redis.call('ZLEXCOUNT', one.index, one.from, one.to) > 0 and 1 or 0 end
return out
