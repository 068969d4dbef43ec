import { COUNTED_RECEIPTS, MAX_SAMPLES, MAX_VERDICTS } from '@pushfleet/domain';
import { defineScript } from '../redis';
import { MAX_EXACT_RECEIPTS } from './receipts';

/** Longer ones are lists of devices: the plan holds them from then on. */
const MAX_KEPT_AUDIENCE = 16 * 1024;
/** What the record of an addressed push shows of its condition once it is done. */
const MAX_DONE_WHERE = 1024;
/** What a push may still grow by for each device that was reached: a receipt of arrival. */
const RECEIPT_BYTES = 48;
/** Bytes of a push id, which leads every entry of the list of closed pushes. */
const ID_BYTES = 16;

/** Field of a record that more devices were refused for than verdicts are kept. */
export const VERDICTS_CUT = 'verdictsCut';

/** Values that one command takes at most: Lua has a stack of 8,000. */
const MAX_VALUES = 1000;

/** `addAll('HSET', key, values)`: values in an even number, any of it. */
const ADD_ALL = `
local function addAll(command, key, values)
  for from = 1, #values, ${MAX_VALUES} do
    redis.call(command, key, unpack(values, from, math.min(from + ${MAX_VALUES - 1}, #values)))
  end
end
`;

/**
 * Shared by the scripts that change the books of pushes in one push shard. KEYS for each push: record, ledger, verdicts, open
 * pushes, closed pushes; ARGV for each push: their number, then push, now, the record's life once it is closed, and what
 * the script wants; `take()` reads the next. `forEach(change)` answers for each push, an error for one that fails.
 *
 * `spent` are fields that go: counters that came to zero, and at the end what nobody needs any more. The rest lives for as
 * long as records do, and the list of closed pushes says how large it is. Few verdicts stand in the samples of the errors
 * as well.
 */
const BOOKS = `
local record, ledger, verdicts, open, closed, push, now, retention, spent
local cursor = 0
local function take() cursor = cursor + 1; return ARGV[cursor] end
${ADD_ALL}
local function forEach(change)
  local answers, ends = {}, 0
  for i = 1, #KEYS / 5 do
    local at = 5 * i
    record, ledger, verdicts, open, closed = KEYS[at - 4], KEYS[at - 3], KEYS[at - 2], KEYS[at - 1], KEYS[at]
    cursor = ends
    local wants = take()
    ends = cursor + wants
    push, now, retention, spent = take(), take(), take(), {}
    local isDone, answer = pcall(change)
    answers[i] = isDone and answer or type(answer) == 'table' and answer or { err = tostring(answer) }
  end
  return answers
end

local function acceptedIn(fields)
  local accepted = 0
  for i = 1, #fields, 2 do
    if string.match(fields[i], '^c|.*|accepted$') then accepted = accepted + fields[i + 1] end
  end
  return accepted
end

local function close(status, addressed)
  local receipts = tonumber(addressed or 0)
  for _, name in ipairs({ 'state', 'open', 'addressed', 'eta' }) do spent[#spent + 1] = name end
  if receipts > 0 then
    spent[#spent + 1] = 'audience'
    spent[#spent + 1] = 'resolved'
    if redis.call('HSTRLEN', record, 'where') > ${MAX_DONE_WHERE} then redis.call('HSET', record, 'where', '{}') end
  else receipts = acceptedIn(redis.call('HGETALL', record)) end
  redis.call('HDEL', record, unpack(spent))
  redis.call('HSET', record, 'status', status, 'updatedAt', now)
  redis.call('ZREM', open, push)
  redis.call('DEL', ledger)
  redis.call('PEXPIRE', record, retention)
  local bytes = redis.call('MEMORY', 'USAGE', record, 'SAMPLES', 0)
  local kept = redis.call('HLEN', verdicts)
  if kept > ${MAX_SAMPLES} then
    redis.call('PEXPIRE', verdicts, retention)
    bytes = bytes + redis.call('MEMORY', 'USAGE', verdicts)
  elseif kept > 0 then redis.call('DEL', verdicts) end
  redis.call('RPUSH', closed, push .. bytes + ${RECEIPT_BYTES} * math.min(receipts, ${MAX_EXACT_RECEIPTS}))
end

local function addVerdicts(count)
  if count == 0 then return end
  local room = ${MAX_VERDICTS} - redis.call('HLEN', verdicts)
  for _ = 1, count do
    local id, verdict = take(), take()
    if room > 0 then room = room - redis.call('HSET', verdicts, id, verdict)
    else redis.call('HSET', record, '${VERDICTS_CUT}', 1) end
  end
end

local function addCounters()
  for _ = 1, tonumber(take()) do
    local name = take()
    if redis.call('HINCRBY', record, name, take()) == 0 then spent[#spent + 1] = name end
  end
end

local function addErrors()
  for _ = 1, tonumber(take()) do
    local key, count, message, samples = take(), take(), take(), take()
    redis.call('HINCRBY', record, 'n|' .. key, count)
    if message ~= '' then redis.call('HSETNX', record, 'm|' .. key, message) end
    local kept = redis.call('HGET', record, 's|' .. key) or ''
    local _, known = string.gsub(kept, '%S+', '')
    for id in string.gmatch(samples, '%S+') do
      if known < ${MAX_SAMPLES} then kept = kept .. ' ' .. id; known = known + 1 end
    end
    redis.call('HSET', record, 's|' .. key, kept)
  end
  addVerdicts(tonumber(take()))
end
`;

/**
 * Writes the pushes of one group commit that live in one push shard: claim, record and open-push entry together.
 * KEYS open, then record and claim (or record again) of each push; ARGV now, then for each: id, claim life in ms (0: no
 * req_id), app, status, text, audience, where. Answers for each 1, or when an earlier push has its req_id that one's id, whether
 * its job must be added, and its text.
 */
export const acceptScript = defineScript(`
${ADD_ALL}
local now, out, opened = ARGV[1], {}, {}
for i = 1, (#KEYS - 1) / 2 do
  local record, claim, at = KEYS[2 * i], KEYS[2 * i + 1], 7 * i - 5
  local id, life = ARGV[at], ARGV[at + 1]
  local owner = life ~= '0' and redis.call('GET', claim)
  if owner then
    local known = redis.call('HMGET', string.sub(record, 1, #record - #id) .. owner, 'state', 'push')
    out[i] = { owner, known[1] == 'accepted' and 1 or 0, known[2] or '' }
  else
    if life ~= '0' then redis.call('SET', claim, id, 'PX', life) end
    redis.call('HSET', record, 'app', ARGV[at + 2], 'status', ARGV[at + 3], 'push', ARGV[at + 4],
      'audience', ARGV[at + 5], 'where', ARGV[at + 6], 'state', 'accepted', 'updatedAt', now, 'open', 0)
    opened[#opened + 1] = now
    opened[#opened + 1] = id
    out[i] = 1
  end
end
addAll('ZADD', KEYS[1], opened)
return out`);

/**
 * Dispatches pushes, each once: its plan into the ledger, its first books into the record. What each wants: lanes, pages,
 * devices of the pages, number of ledger fields and values, these, then the books. Answers 1, or 0 for one that was
 * dispatched before.
 */
export const planScript = defineScript(`${BOOKS}
return forEach(function()
  local lanes, pages, devices, entries = tonumber(take()), tonumber(take()), take(), {}
  for i = 1, tonumber(take()) do entries[i] = take() end
  if redis.call('HGET', record, 'state') ~= 'accepted' then return 0 end
  local fields = { 'state', 'dispatched', 'status', 'in-queue', 'updatedAt', now, 'open', lanes + pages,
    'addressed', devices }
  for _ = 1, 2 * take() do fields[#fields + 1] = take() end
  addAll('HSET', record, fields)
  addErrors()
  if lanes + pages == 0 then close('done', devices); return 1 end
  if lanes == 0 and redis.call('HSTRLEN', record, 'audience') > ${MAX_KEPT_AUDIENCE} then
    redis.call('HSET', record, 'audience', '{"isForgotten":true}', 'where', '{}')
  end
  addAll('HSET', ledger, entries)
  redis.call('ZADD', open, now, push)
  return 1
end)`);

/**
 * Folds pages, each once: outcomes and resume point together. What each wants: part ('at|<lane>' or 'page|<n>'), the value
 * that the ledger must hold ('' for a page), the next value ('done' closes a lane), retry page (JSON or ''), then the books.
 * Answers state ('gone', 'stale', 'cancelled' or the record's status) and the number of the retry page.
 */
export const foldScript = defineScript(`${BOOKS}
return forEach(function()
  local part, expected, following, retry = take(), take(), take(), take()
  local known = redis.call('HMGET', record, 'status', 'cancelled', 'open', 'addressed')
  if not known[1] then return { 'gone', 0 } end
  local isPage = string.sub(part, 1, 5) == 'page|'
  local isDue
  if isPage then isDue = redis.call('HEXISTS', ledger, part) == 1
  else isDue = redis.call('HGET', ledger, part) == expected end
  if not isDue then return { 'stale', 0 } end
  addCounters()
  addErrors()
  local left, number = tonumber(known[3]), 0
  if retry ~= '' then
    number = redis.call('HINCRBY', ledger, 'pages', 1)
    redis.call('HSET', ledger, 'page|' .. number, retry)
    left = left + 1
  end
  local isClosed = isPage or following == 'done'
  if isClosed then left = left - 1 end
  if left == 0 then
    close('done', known[4])
    return { known[2] and 'cancelled' or 'done', number }
  end
  if isClosed then redis.call('HDEL', ledger, part, 'tries|' .. part)
  else
    redis.call('HSET', ledger, part, following)
    redis.call('HDEL', ledger, 'tries|' .. part)
  end
  redis.call('HSET', record, 'open', left, 'updatedAt', now)
  if #spent > 0 then redis.call('HDEL', record, unpack(spent)) end
  return { known[2] and 'cancelled' or known[1], number }
end)`);

/**
 * Cancels pushes. One that is not dispatched is closed at once; of the others, whoever folds next learns of it. Answers 0
 * when there was nothing to cancel.
 */
export const cancelScript = defineScript(`${BOOKS}
return forEach(function()
  if redis.call('EXISTS', record) == 0 or redis.call('HSETNX', record, 'cancelled', now) == 0 then return 0 end
  redis.call('HSET', record, 'updatedAt', now)
  if redis.call('HGET', record, 'state') == 'accepted' then close('done') end
  return 1
end)`);

/**
 * Closes pushes that nobody can read: what each leaves outstanding has failed. What each wants: number of fields and values
 * that take the place of the unreadable ones, these. Answers 0 for one that was closed before.
 */
export const giveUpScript = defineScript(`${BOOKS}
return forEach(function()
  if redis.call('HEXISTS', record, 'state') == 0 then return 0 end
  for _ = 1, take() / 2 do redis.call('HSET', record, take(), take()) end
  for _, name in ipairs(redis.call('HKEYS', record)) do
    local channel = string.match(name, '^c|([^|]*)|outstanding$')
    if channel then
      local count = redis.call('HGET', record, name)
      redis.call('HINCRBY', record, 'c|' .. channel .. '|f:internal-error', count)
      redis.call('HINCRBY', record, 'n|' .. channel .. '|internal-error|', count)
      spent[#spent + 1] = name
    end
  end
  close('error', redis.call('HGET', record, 'addressed'))
  return 1
end)`);

/**
 * Takes the oldest closed pushes of a shard away until the others fit; those that are gone already leave the list.
 * KEYS closed pushes; ARGV how the keys of a push of this shard begin, bytes allowed, most to remove at once. Answers how
 * many were removed. What a push of the own channel says stays for the mailboxes that wait for it.
 */
export const trimScript = defineScript(`
local closed, prefix, allowed, most = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local entries, total, gone, removed = redis.call('LRANGE', closed, 0, -1), 0, 0, 0
for _, entry in ipairs(entries) do total = total + string.sub(entry, ${ID_BYTES + 1}) end
for _, entry in ipairs(entries) do
  local record = prefix .. string.sub(entry, 1, ${ID_BYTES})
  if redis.call('EXISTS', record) == 1 then
    if total <= allowed or removed == most then break end
    redis.call('UNLINK', record, record .. ':verdicts', ${COUNTED_RECEIPTS.map(
      (kind) => `record .. ':${kind}', record .. ':${kind}:sketch'`,
    ).join(', ')})
    removed = removed + 1
  end
  total, gone = total - string.sub(entry, ${ID_BYTES + 1}), gone + 1
end
if gone > 0 then redis.call('LTRIM', closed, gone, -1) end
return removed`);

/**
 * Notes the tries of a lane that is still open; a ledger that was removed stays away.
 * KEYS ledger; ARGV part, tries.
 */
export const noteTriesScript = defineScript(`
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then redis.call('HSET', KEYS[1], 'tries|' .. ARGV[1], ARGV[2]) end
return 1`);

/** KEYS records; ARGV the fields wanted of each. */
export const fieldsScript = defineScript(`
local found = {}
for i, record in ipairs(KEYS) do found[i] = redis.call('HMGET', record, unpack(ARGV)) end
return found`);

/** KEYS record and ledger of each push; ARGV the page wanted of each, then the fields wanted of each. The page comes last. */
export const pagesScript = defineScript(`
local found, pushes = {}, #KEYS / 2
for i = 1, pushes do
  local fields = redis.call('HMGET', KEYS[2 * i - 1], unpack(ARGV, pushes + 1))
  fields[#fields + 1] = redis.call('HGET', KEYS[2 * i], ARGV[i])
  found[i] = fields
end
return found`);
