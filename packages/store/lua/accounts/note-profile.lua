#!lua flags=allow-oom
-- Notes something of a profile while there is one; of one that was sealed so, where that is told.
local profiles, notes, name, sealed, field, text = ...

local stored = redis.call('HGET', profiles, name)
if not stored or (sealed ~= '' and stored ~= sealed) then return end
redis.call('HSET', notes, field, text)
