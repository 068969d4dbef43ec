#!lua flags=allow-oom
-- Notes how far deletions are; one that has ended stays ended. In a full Redis too: it frees memory.
-- each of notes: app, progress.
local purges, notes = ...

for _, note in ipairs(notes) do
  if redis.call('HEXISTS', purges, note.app) == 1 then redis.call('HSET', purges, note.app, note.progress) end
end
return 1
