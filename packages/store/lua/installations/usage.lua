-- What the installations of one shard take: how many there are, their bytes, and how many are unconfirmed.
local records, bytes, unconfirmed = ...

return { redis.call('HLEN', records), tonumber(redis.call('GET', bytes) or 0), redis.call('ZCARD', unconfirmed) }
