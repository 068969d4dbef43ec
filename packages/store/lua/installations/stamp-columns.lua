-- Has a shard refuse what was made with an earlier generation of the columns of its app.
local stamp, generation = ...

if tonumber(redis.call('GET', stamp) or 0) < tonumber(generation) then redis.call('SET', stamp, generation) end
return 1
