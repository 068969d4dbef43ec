-- Takes closed pushes of a shard away: of each of some apps those that expire within `hours`, until `excess` bytes of it are
-- free; at most `most` in all. `prefix` is how the keys of a push of this shard begin. Answers how many were removed, and
-- behind it the bytes that the entries of each app said. What a push of the own channel says stays for the mailboxes that
-- wait for it.
-- each of apps: app, hours, excess.
local closed, prefix, most, apps, suffixes = ...
local appOf = include('pushes/app-of')

local function remove(entry, record)
  local names = { record }
  for _, suffix in ipairs(suffixes) do names[#names + 1] = record .. suffix end
  redis.call('UNLINK', unpack(names))
  redis.call('LREM', closed, 1, entry)
end

local placeOf, answer = {}, { 0 }
for i, one in ipairs(apps) do placeOf[one.app], answer[i + 1] = i, 0 end

for _, entry in ipairs(redis.call('LRANGE', closed, 0, -1)) do
  if answer[1] == most then break end
  local record = prefix .. string.sub(entry, 1, ID_BYTES)
  local place = placeOf[appOf(record)]
  if place and answer[place + 1] < apps[place].excess then
    local lifeMs = redis.call('PTTL', record)
    if lifeMs ~= -2 and lifeMs <= apps[place].hours * HOUR_MS then
      remove(entry, record)
      answer[1] = answer[1] + 1
      answer[place + 1] = answer[place + 1] + tonumber(string.sub(entry, ID_BYTES + 1))
    end
  end
end
return answer
