-- Corrects a count by what it is wrong by.
local bytes, growth = ...

if redis.call('INCRBY', bytes, growth) <= 0 then redis.call('DEL', bytes) end
return 1
