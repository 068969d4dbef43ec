-- Forgets the name of a bucket, unless it is a profile's.
local names, kept, bucket = ...

if redis.call('SISMEMBER', kept, bucket) == 0 then redis.call('SREM', names, bucket) end
return 1
