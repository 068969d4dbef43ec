-- Credentials are written, and what was tested was something else.
local profiles, notes, name, sealed, test = ...

redis.call('HSET', profiles, name, sealed)
redis.call('HDEL', notes, test)
