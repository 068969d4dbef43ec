-- What the open pushes of a shard take, with their jobs: app and bytes in turn. Of very many, some at random stand for all.
-- `prefix` is how the keys of a push of this shard begin.
local open, prefix = ...
local appOf = include('pushes/app-of')

local function usage(key, ...)
  return redis.call('MEMORY', 'USAGE', key, ...) or 0
end

local ids, bytesOf = redis.call('ZRANDMEMBER', open, MOST_LOOKED_AT), {}
for _, id in ipairs(ids) do
  local record = prefix .. id
  local app = appOf(record)
  -- Of a record and a ledger, every field is looked at: one of them may be most of it.
  local bytes = usage(record, 'SAMPLES', 0) + usage(record .. ':ledger', 'SAMPLES', 0) + usage(record .. ':verdicts')
  bytesOf[app] = (bytesOf[app] or 0) + bytes + JOB_BYTES
end
local out, each = {}, redis.call('ZCARD', open) / #ids
for app, bytes in pairs(bytesOf) do
  out[#out + 1] = app
  out[#out + 1] = math.floor(bytes * each)
end
return out
