-- Takes closed pushes of a shard away. What a push of the own channel says stays for the mailboxes that wait for it.
-- each of apps: app, hours, excess.
local list, prefix, suffix, most, apps, suffixes = ...
local trimList = include('pushes/trim-list')

return trimList({ list = list, prefix = prefix, suffix = suffix }, most, apps, function(record)
  local names = { record }
  for _, beside in ipairs(suffixes) do names[#names + 1] = record .. beside end
  redis.call('UNLINK', unpack(names))
end)
