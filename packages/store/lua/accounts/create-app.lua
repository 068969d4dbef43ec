-- Creates an app, unless one with this id exists or is still being deleted.
local apps, purges, app, text = ...

if redis.call('HEXISTS', purges, app) == 1 then return 0 end
return redis.call('HSETNX', apps, app, text)
