-- Writes what is told about a user. `unionids` is JSON by developer, and `fields` are other fields with their values.
-- `create` is '1' where a user who is there already stays as they are.
local user, profile, epoch, unionids, create, fields = ...
local addAll = include('kit/add-all')

local isNew = redis.call('HSETNX', user, USER.epoch, epoch) == 1
if create == '1' and not isNew then return 0 end
redis.call('HSET', user, USER.profile, profile)
if unionids ~= '{}' then
  local known = cjson.decode(redis.call('HGET', user, USER.unionids) or '{}')
  for developer, id in pairs(cjson.decode(unionids)) do known[developer] = id end
  redis.call('HSET', user, USER.unionids, cjson.encode(known))
end
addAll('HSET', user, fields)
return 1
