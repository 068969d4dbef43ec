-- Writes a field of a user, or removes it for ''. Answers 0 when there is no such user.
local user, field, value = ...

if redis.call('EXISTS', user) == 0 then return 0 end
if value == '' then redis.call('HDEL', user, field) else redis.call('HSET', user, field, value) end
return 1
