-- Gives what a new token is bound to; refuses one that was bound to something else before. `epoch` and `grant` are what the
-- token was bound to, '' for a new one. Answers 0 without user, 1 when the token is invalid.
local user, tokens, grantField, epoch, grant, client, digests = ...

local bound = redis.call('HMGET', user, USER.epoch, grantField)
if not bound[1] then return 0 end
local granted = bound[2] or ''
if epoch ~= '' and (epoch ~= bound[1] or grant ~= granted) then return 1 end
for _, digest in ipairs(digests) do redis.call('HSET', tokens, digest, client) end
return { bound[1], granted }
