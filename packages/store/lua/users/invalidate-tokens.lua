-- Makes the tokens of a client invalid, or all of a user for ''. One step, so that no token of the old epoch is issued after
-- it. Answers the digests of the tokens that went, nothing when there is no such user.
local user, tokens, field, epoch, client = ...

if redis.call('EXISTS', user) == 0 then return false end
redis.call('HSET', user, field, epoch)
local gone, all = {}, redis.call('HGETALL', tokens)
for i = 1, #all, 2 do
  if client == '' or all[i + 1] == client then
    gone[#gone + 1] = all[i]
    redis.call('HDEL', tokens, all[i])
  end
end
return gone
