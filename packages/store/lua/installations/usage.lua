-- What the installations of one shard take: how many there are, their bytes, how many are unconfirmed, and how many values the
-- indexes of columns hold.
local records, bytes, unconfirmed, columns = ...

local values = 0
for _, column in ipairs(columns) do values = values + redis.call('ZCARD', column) end
return {
  redis.call('HLEN', records), tonumber(redis.call('GET', bytes) or 0), redis.call('ZCARD', unconfirmed), values,
}
