#!lua flags=allow-oom
-- Removes what pushes say on the own channel, by entries of its list. `prefix` is how the keys of the shard's pushes begin.
local list, prefix, entries = ...

for _, entry in ipairs(entries) do
  local record = prefix .. string.sub(entry, 1, ID_BYTES)
  redis.call('UNLINK', record .. OWN.text, record .. OWN.lost)
  redis.call('LREM', list, 1, entry)
end
