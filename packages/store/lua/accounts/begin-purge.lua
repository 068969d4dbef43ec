#!lua flags=allow-oom
-- An app is gone and its deletion begun in one step.
local apps, purges, app, progress = ...

if redis.call('HDEL', apps, app) == 0 then return 0 end
redis.call('HSET', purges, app, progress)
return 1
