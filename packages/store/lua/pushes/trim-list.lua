-- Removes what a list of a shard names: of each of some apps what expires within `hours`, until `excess` bytes of it are free;
-- at most `most` in all. Answers how many were removed, and behind it the bytes that the entries of each app said.
local readEntry = include('pushes/entry')

return function(names, most, apps, remove)
  local placeOf, answer = {}, { 0 }
  for i, one in ipairs(apps) do placeOf[one.app], answer[i + 1] = i, 0 end

  for _, entry in ipairs(redis.call('LRANGE', names.list, 0, -1)) do
    if answer[1] == most then break end
    local record = names.prefix .. string.sub(entry, 1, ID_BYTES)
    local bytes, app = readEntry(entry, record)
    local place = placeOf[app]
    if place and answer[place + 1] < apps[place].excess then
      local lifeMs = redis.call('PTTL', record .. names.suffix)
      if lifeMs ~= -2 and lifeMs <= apps[place].hours * HOUR_MS then
        remove(record)
        redis.call('LREM', names.list, 1, entry)
        answer[1] = answer[1] + 1
        answer[place + 1] = answer[place + 1] + bytes
      end
    end
  end
  return answer
end
