-- Deletes a string that is still what its deleter believes.
local name, text = ...

if redis.call('GET', name) == text then return redis.call('DEL', name) end
return 0
