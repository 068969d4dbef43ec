-- Adds clients to those that have muted a conversation, all of them or none; its members lie between `from` and `to`. Answers
-- how many are new, or why none is added: the conversation would have more than the limit, the app more than it has room for.
local muted, limit, most, from, to, members = ...

local new = {}
for _, member in ipairs(members) do
  if not redis.call('ZSCORE', muted, member) then
    new[#new + 1] = 0
    new[#new + 1] = member
  end
end
local count = #new / 2
if redis.call('ZLEXCOUNT', muted, from, to) + count > limit then return 'too many' end
if count > most then return 'no room' end
if count > 0 then redis.call('ZADD', muted, unpack(new)) end
return count
