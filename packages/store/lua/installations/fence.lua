#!lua flags=allow-oom
-- Fences a record that still is what was read.
local records, fences, objectId, text, before = ...

local fence = include('installations/fences')

if (redis.call('HGET', records, objectId) or '') ~= text or fence.of(fences, objectId) ~= before then return 0 end
fence.put(fences, objectId)
return 1
