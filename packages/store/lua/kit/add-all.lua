-- Gives a command any number of values, also none, and never parts a pair: the stack of Lua ends at some 8,000.
local atOnce = 1000

return function(command, key, values)
  for from = 1, #values, atOnce do
    redis.call(command, key, unpack(values, from, math.min(from + atOnce - 1, #values)))
  end
end
