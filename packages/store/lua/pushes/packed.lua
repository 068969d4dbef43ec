-- Rewrites a record that nobody works on any more, so that Redis keeps it as one piece of memory: no name and no value is
-- longer than that allows. A longer value stands in pieces, cut between characters. False when the record stays as it is.
-- `values` are what it shall hold.
local function shortText(text)
  local data, createdAt, pushTime, expiresAt = string.match(text or '', PACKED.text)
  if not data then return text end
  return string.format('%s %.0f %.0f %s', createdAt, pushTime - createdAt, expiresAt - createdAt, data)
end

-- The objectId of a push to one device stands in its condition and in its outcomes: once is enough.
local function nameOnce(values)
  local objectId = string.match(values[RECORD.where] or '', PACKED.one)
  if not objectId then return end
  local lines = values[RECORD.outcomes]
  if lines and string.find(lines, PACKED.same, 1, true) then return end
  values[RECORD.where] = objectId
  if lines then values[RECORD.outcomes] = string.gsub(lines, '"' .. objectId .. '"', PACKED.same) end
end

local function isInsideCharacter(text, at)
  local byte = string.byte(text, at + 1)
  return byte ~= nil and byte >= 128 and byte < 192
end

local function addPieces(fields, name, value)
  local from, number = 1, 0
  while from <= #value do
    local to = from + MAX_PIECE - 1
    while to < #value and isInsideCharacter(value, to) do to = to - 1 end
    number = number + 1
    fields[#fields + 1] = name .. PACKED.piece .. number
    fields[#fields + 1] = string.sub(value, from, to)
    from = to + 1
  end
end

local function fieldsOf(values)
  local fields = {}
  for name, value in pairs(values) do
    if #name > MAX_PIECE - MAX_PIECE_SUFFIX or string.find(name, PACKED.piece, 1, true) then return nil end
    if #value > MAX_PIECE then addPieces(fields, name, value)
    else
      fields[#fields + 1] = name
      fields[#fields + 1] = value
    end
    if #fields > 2 * MAX_PIECES then return nil end
  end
  return fields
end

return function(record, values)
  values[RECORD.packedApp], values[RECORD.app] = values[RECORD.app], nil
  values[RECORD.push] = shortText(values[RECORD.push])
  nameOnce(values)
  local fields = fieldsOf(values)
  if not fields then return false end
  redis.call('DEL', record)
  redis.call('HSET', record, unpack(fields))
  return true
end
