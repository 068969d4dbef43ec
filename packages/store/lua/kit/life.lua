-- The ms that a key still lives, which was given so many at most. One that has more was written before the clock of Redis was
-- set back, and would stay for as long as that.
return function(key, mostMs)
  local life = redis.call('PTTL', key)
  if life <= mostMs then return life end
  redis.call('PEXPIRE', key, mostMs)
  return mostMs
end
