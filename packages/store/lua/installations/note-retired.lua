-- Notes registrations that are about to be retired, by the time of Redis: about so many are kept, and for about so long.
local log, noted = ...

for _, entry in ipairs(noted) do redis.call('XADD', log, 'MAXLEN', '~', MAX_RETIRED, '*', 'of', entry) end
redis.call('XTRIM', log, 'MINID', '~', redis.call('TIME')[1] * 1000 - KEPT_MS)
redis.call('PEXPIRE', log, KEPT_MS)
