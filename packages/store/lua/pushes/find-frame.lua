-- Looks for a name among `most` frames of outcomes from `from` on, packed or as text. Answers which frame has it, or only
-- seems to: bytes may stand across two packed names. -1: none of these, -2: nor are there more.
local kept, from, most, packed, text = ...
local frames = redis.call('LRANGE', kept, from, from + most - 1)
for i, frame in ipairs(frames) do
  if string.find(frame, packed, 1, true) or string.find(frame, text, 1, true) then return from + i - 1 end
end
return #frames < most and -2 or -1
