-- Removes a user and the list of issued tokens. Answers the digests of the tokens, nothing when there is no such user.
local user, tokens = ...

local digests = redis.call('HKEYS', tokens)
if redis.call('DEL', user) == 0 then return false end
redis.call('DEL', tokens)
return digests
