-- Answers 1 for each record that exists, else 0.
local records, ids = ...

local found = {}
for i, id in ipairs(ids) do found[i] = redis.call('HEXISTS', records, id) end
return found
