#!lua flags=allow-oom
-- Goes on from the format and the step that were read; '' is no step. Answers 0 when somebody else has gone on.
local format, fromData, fromStep, data, accepts, step = ...

local held = redis.call('HMGET', format, 'data', 'step')
if held[1] ~= fromData or (held[2] or '') ~= fromStep then return 0 end
redis.call('HSET', format, 'data', data, 'accepts', accepts)
if step == '' then redis.call('HDEL', format, 'step') else redis.call('HSET', format, 'step', step) end
return 1
