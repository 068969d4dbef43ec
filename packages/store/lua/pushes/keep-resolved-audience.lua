-- Whoever dispatches first decides; a record that is gone stays gone.
local record, audience = ...

if redis.call('EXISTS', record) == 1 then redis.call('HSETNX', record, RECORD.resolvedAudience, audience) end
return redis.call('HGET', record, RECORD.resolvedAudience) or audience
