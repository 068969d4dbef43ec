#!lua flags=allow-oom
-- Notes what an operator did. In a full Redis too: an operator who makes room is to be seen.
local log, entry = ...

return redis.call('XADD', log, 'MAXLEN', '~', MAX_AUDIT_ENTRIES, '*', 'entry', entry)
