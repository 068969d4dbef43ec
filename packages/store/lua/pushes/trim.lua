-- Takes the oldest closed pushes of a shard away until the others fit, at most `most`; those that are gone already leave the
-- list wherever they stand: records are not all kept for the same time. `prefix` is how the keys of a push of this shard
-- begin. Answers how many were removed. What a push of the own channel says stays for the mailboxes that wait for it.
local closed, prefix, allowed, most, suffixes = ...
local addAll = include('kit/add-all')

local function recordOf(entry) return prefix .. string.sub(entry, 1, ID_BYTES) end

local function bytesOf(entry) return tonumber(string.sub(entry, ID_BYTES + 1)) end

local function remove(entry)
  local record = recordOf(entry)
  local names = { record }
  for _, suffix in ipairs(suffixes) do names[#names + 1] = record .. suffix end
  redis.call('UNLINK', unpack(names))
end

local entries, living, total = redis.call('LRANGE', closed, 0, -1), {}, 0
for _, entry in ipairs(entries) do
  if redis.call('EXISTS', recordOf(entry)) == 1 then
    living[#living + 1] = entry
    total = total + bytesOf(entry)
  end
end

local kept, removed = {}, 0
for _, entry in ipairs(living) do
  if total > allowed and removed < most then
    remove(entry)
    total, removed = total - bytesOf(entry), removed + 1
  else
    kept[#kept + 1] = entry
  end
end
if #kept < #entries then
  redis.call('DEL', closed)
  addAll('RPUSH', closed, kept)
end
return removed
