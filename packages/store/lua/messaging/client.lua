-- The bindings of one client, and what they take.
local function sizeOf(client, text)
  if text == '' then return 0 end
  return CLIENT_BYTES + #client + #text
end

local function growthOf(client, from, to) return sizeOf(client, to) - sizeOf(client, from) end

-- Writes what was `from`, '' standing for none. Changes are counted, too: bytes may be again what they were.
local function put(bindings, bytes, one)
  if one.to == one.from then return end
  if one.to == '' then redis.call('HDEL', bindings, one.client)
  else redis.call('HSET', bindings, one.client, one.to) end
  local sum = redis.call('HINCRBY', bytes, 'bytes', growthOf(one.client, one.from, one.to))
  if sum <= 0 then redis.call('DEL', bytes) else redis.call('HINCRBY', bytes, 'changes', 1) end
end

return { growthOf = growthOf, put = put }
