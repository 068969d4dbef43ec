-- The time by which retirements are noted: that of the Redis that has them.
local log = ...
local _ = log

return include('kit/now')
