-- The subscribers of any of some channels, behind a given objectId, with their addresses, up to the least id at which a
-- set was cut off. Compares bytes itself: Lua's own order of strings follows the server's locale. Answers that id, ''
-- when nothing was cut off, then the addresses in no order.
local bucket, subscribers, behind, limit = ...

local function precedes(a, b)
  for i = 1, math.min(#a, #b) do
    local x, y = string.byte(a, i), string.byte(b, i)
    if x ~= y then return x < y end
  end
  return #a < #b
end

local seen, ids, bound = {}, {}, nil
for _, set in ipairs(subscribers) do
  local some = redis.call('ZRANGEBYLEX', set, behind, '+', 'LIMIT', 0, limit)
  if #some == limit and (not bound or precedes(some[limit], bound)) then bound = some[limit] end
  for _, id in ipairs(some) do
    if not seen[id] then
      seen[id] = true
      ids[#ids + 1] = id
    end
  end
end

local out = { bound or '' }
for _, id in ipairs(ids) do
  if not bound or not precedes(bound, id) then
    local found = redis.call('ZRANGEBYLEX', bucket, '[' .. id .. ' ', '(' .. id .. '!', 'LIMIT', 0, 1)
    out[#out + 1] = found[1] or (id .. ' ')
  end
end
return out
