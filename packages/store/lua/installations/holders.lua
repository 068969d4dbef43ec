-- The installations of one shard that have one of some values in an indexed column, unless they are more than a limit. The
-- keys of buckets begin with a text. Answers how many entries there are, then for each target its id, its text and its address.
-- each of ranges: index, from, to.
local records, bucketsBegin, limit, ranges = ...

local count = 0
for _, one in ipairs(ranges) do count = count + redis.call('ZLEXCOUNT', one.index, one.from, one.to) end
local out = { count }
if count > limit then return out end

local seen = {}
local function add(id)
  local text = not seen[id] and redis.call('HGET', records, id)
  seen[id] = true
  local bucket = text and string.match(text, '^[^\n]*') or ''
  if bucket == '' then return end
  local found = redis.call('ZRANGEBYLEX', bucketsBegin .. bucket, '[' .. id .. ' ', '(' .. id .. '!', 'LIMIT', 0, 1)
  out[#out + 1] = id
  out[#out + 1] = text
  out[#out + 1] = found[1] or (id .. ' ')
end

for _, one in ipairs(ranges) do
  for _, member in ipairs(redis.call('ZRANGEBYLEX', one.index, one.from, one.to)) do
    add(string.match(member, '[^\n]*$'))
  end
end
return out
