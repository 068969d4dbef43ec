-- Writes what is told about a user. `unionids` is JSON by developer, and `fields` are other fields with their values.
local user, profile, epoch, unionids, fields = ...
local addAll = include('kit/add-all')

redis.call('HSETNX', user, USER.epoch, epoch)
redis.call('HSET', user, USER.profile, profile)
if unionids ~= '{}' then
  local known = cjson.decode(redis.call('HGET', user, USER.unionids) or '{}')
  for developer, id in pairs(cjson.decode(unionids)) do known[developer] = id end
  redis.call('HSET', user, USER.unionids, cjson.encode(known))
end
addAll('HSET', user, fields)
