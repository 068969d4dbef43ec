-- Adds clients to those that have muted a conversation, all of them or none. Answers 0 when there would be more than the limit.
local muted, limit, clients = ...

local count = redis.call('SCARD', muted)
for _, client in ipairs(clients) do
  if redis.call('SISMEMBER', muted, client) == 0 then count = count + 1 end
end
if count > limit then return 0 end
redis.call('SADD', muted, unpack(clients))
return 1
