-- What the installations of some shards take together: how many there are, their bytes, how many are unconfirmed, and how many
-- values the indexes of columns hold; how many mutes there are, and the bytes of bindings.
local records, bytes, unconfirmed, columns, muted, bindingBytes = ...

local function sum(command, keys, ...)
  local all = 0
  for _, key in ipairs(keys) do all = all + (tonumber(redis.call(command, key, ...)) or 0) end
  return all
end

return {
  sum('HLEN', records), sum('GET', bytes), sum('ZCARD', unconfirmed), sum('ZCARD', columns),
  sum('ZCARD', muted), sum('HGET', bindingBytes, 'bytes'),
}
