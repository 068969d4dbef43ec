-- The text of a record with the updatedAt of a save that brings nothing else new, or with its own if that is as late;
-- nothing if the record does not hold each of the members that the save brings. Members are compared as texts, which
-- the store writes alike whenever it writes the same. What is no target, or struck, changes by being saved.
local quote, backslash, brace, bracket = 34, 92, 123, 91

local function endOfText(text, at)
  repeat
    at = string.find(text, '["\\]', at + 1) or #text
    local isEscape = string.byte(text, at) == backslash
    if isEscape then at = at + 1 end
  until not isEscape
  return at
end

local function endOfValue(text, at)
  local first, depth = string.byte(text, at), 0
  if first == quote then return endOfText(text, at) end
  if first ~= brace and first ~= bracket then return (string.find(text, '[,}]', at) or #text) - 1 end
  repeat
    local found = string.find(text, '["%[%]{}]', at) or #text
    local byte = string.byte(text, found)
    if byte == quote then found = endOfText(text, found)
    elseif byte == brace or byte == bracket then depth = depth + 1
    else depth = depth - 1 end
    at = found + 1
  until depth <= 0
  return at - 1
end

-- Numbers, because the order of texts follows the locale of the server.
local function dayAndTime(stamp)
  local year, month, day, rest = string.match(stamp, '^(%d%d%d%d)-(%d%d)-(%d%d)T([%d:.]+)Z$')
  if year and #rest == 12 then return tonumber(year .. month .. day), tonumber((string.gsub(rest, '[:.]', ''))) end
end

local function isLater(stamp, other)
  local day, time = dayAndTime(stamp)
  local otherDay, otherTime = dayAndTime(other)
  if not day or not otherDay then return nil end
  return day > otherDay or day == otherDay and time > otherTime
end

-- Where the text of updatedAt stands if all members are as expected.
local function placeIn(text, start, members)
  local expected, left, from, to = {}, 0, nil, nil
  for i = 1, #members, 2 do
    expected[members[i]] = members[i + 1]
    left = left + 1
  end
  local at = start + 1
  while string.byte(text, at) == quote do
    local close = endOfText(text, at)
    local name, first = string.sub(text, at, close), close + 2
    local last = endOfValue(text, first)
    if name == STRUCK then return nil end
    if name == '"updatedAt"' then from, to = first + 1, last - 1
    elseif expected[name] == string.sub(text, first, last) then left = left - 1
    elseif expected[name] then return nil end
    at = last + 2
  end
  if left == 0 then return from, to end
end

return function(text, stamp, members)
  local line = string.find(text, '\n', 1, true)
  if not line or line == 1 or #text > LONGEST then return nil end
  local from, to = placeIn(text, line + 1, members)
  local later = from and isLater(stamp, string.sub(text, from, to))
  if later == nil then return nil end
  if not later then return text end
  return string.sub(text, 1, from - 1) .. stamp .. string.sub(text, to + 1)
end
