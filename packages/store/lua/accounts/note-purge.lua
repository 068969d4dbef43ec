#!lua flags=allow-oom
-- Notes how far a deletion is; one that has ended stays ended. In a full Redis too: it frees memory.
local purges, app, progress = ...

if redis.call('HEXISTS', purges, app) == 1 then redis.call('HSET', purges, app, progress) end
return 1
