#!lua flags=allow-oom
-- Takes away what pushes of a shard say on the own channel: it has lapsed for every device that was accepted and did neither
-- confirm it nor lose it before.
-- each of apps: app, hours, excess.
local list, prefix, suffix, most, apps, totals = ...
local count = include('kit/count')
local trimList = include('pushes/trim-list')

return trimList({ list = list, prefix = prefix, suffix = suffix }, most, apps, function(record)
  local known = redis.pcall('HMGET', record, OWN.accepted, OWN.delivered, OWN.lapsed)
  local waiting = (tonumber(known[1]) or 0) - (tonumber(known[2]) or 0) - (tonumber(known[3]) or 0)
  if waiting > 0 then
    count(record, OWN.lapsed, waiting)
    count(totals, OWN.lapsed, waiting)
  end
  redis.call('UNLINK', record .. suffix, record .. OWN.lost)
end)
