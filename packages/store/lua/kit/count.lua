-- Adds to a counter of a hash. One that is damaged begins anew: what is counted has happened, and must not be done again.
return function(hash, counter, by)
  if not pcall(redis.call, 'HINCRBY', hash, counter, by) then redis.call('HSET', hash, counter, by) end
end
