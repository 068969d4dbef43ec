-- The same fields of many records.
local records, fields = ...

local found = {}
for i, record in ipairs(records) do found[i] = redis.call('HMGET', record, unpack(fields)) end
return found
