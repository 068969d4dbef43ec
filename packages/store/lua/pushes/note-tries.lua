-- Notes the tries of a lane that is still open; a ledger that was removed stays away.
local ledger, part, tries = ...

if redis.call('HEXISTS', ledger, part) == 1 then redis.call('HSET', ledger, LEDGER.tries .. part, tries) end
return 1
