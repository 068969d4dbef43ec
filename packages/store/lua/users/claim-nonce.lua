-- Claims a nonce of a period. Answers 1, 0 when it was used, -1 when the period has as many as it may; a limit of 0 is none.
local nonces, nonce, lifeMs, limit = ...

if redis.call('SISMEMBER', nonces, nonce) == 1 then return 0 end
local held = redis.call('SCARD', nonces)
if limit > 0 and held >= limit then return -1 end
redis.call('SADD', nonces, nonce)
if held == 0 then redis.call('PEXPIRE', nonces, lifeMs) end
return 1
