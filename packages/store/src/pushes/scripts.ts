import { defineScript } from '../redis';
import { MAX_SAMPLES } from './books';

/** Devices of one push whose single verdict is kept. */
const MAX_VERDICTS = 100_000;
/** Longer ones are lists of devices: the plan holds them from then on. */
const MAX_KEPT_AUDIENCE = 16 * 1024;

/**
 * Shared by the scripts that change the books. KEYS record, ledger, verdicts, open pushes; the first ARGV are push, now
 * and the record's life after `done`; `take()` reads the next.
 */
const BOOKS = `
local record, ledger, verdicts, open = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local cursor = 0
local function take() cursor = cursor + 1; return ARGV[cursor] end
local push, now, retention = take(), take(), take()

local function addBooks()
  for _ = 1, tonumber(take()) do local name = take(); redis.call('HINCRBY', record, name, take()) end
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
  local room = ${MAX_VERDICTS} - redis.call('HLEN', verdicts)
  for _ = 1, tonumber(take()) do
    local id, verdict = take(), take()
    if room > 0 then room = room - redis.call('HSET', verdicts, id, verdict)
    else redis.call('HSET', record, 'verdictsCut', 1) end
  end
end

local function closeIfDone()
  if tonumber(redis.call('HGET', record, 'open')) > 0 then return end
  redis.call('HSET', record, 'status', 'done', 'doneAt', now)
  redis.call('ZREM', open, push)
  redis.call('DEL', ledger)
  redis.call('PEXPIRE', record, retention)
  redis.call('PEXPIRE', verdicts, retention)
end
`;

/**
 * Writes the pushes of one group commit that live in one push shard: claim, record and open-push entry together.
 * KEYS open, then record and claim (or record again) of each push; ARGV now, then for each: id, claim life in ms (0: no
 * req_id), app, status, text, audience. Answers for each 1, or when an earlier push has its req_id that one's id, whether
 * its job must be added, and its text.
 */
export const acceptScript = defineScript(`
local now, out = ARGV[1], {}
for i = 1, (#KEYS - 1) / 2 do
  local record, claim, at = KEYS[2 * i], KEYS[2 * i + 1], 6 * i - 4
  local id, life = ARGV[at], ARGV[at + 1]
  local owner = life ~= '0' and redis.call('GET', claim)
  if owner then
    local known = redis.call('HMGET', string.sub(record, 1, #record - #id) .. owner, 'state', 'push')
    out[i] = { owner, known[1] == 'accepted' and 1 or 0, known[2] or '' }
  else
    if life ~= '0' then redis.call('SET', claim, id, 'PX', life) end
    redis.call('HSET', record, 'app', ARGV[at + 2], 'status', ARGV[at + 3], 'push', ARGV[at + 4],
      'audience', ARGV[at + 5], 'state', 'accepted', 'updatedAt', now, 'open', 0)
    redis.call('ZADD', KEYS[1], now, id)
    out[i] = 1
  end
end
return out`);

/**
 * Dispatches a push once: its plan into the ledger, its first books into the record.
 * ARGV behind the first three: open parts, number of ledger fields and values, these, then the books.
 */
export const planScript = defineScript(`${BOOKS}
local parts = take()
local entries = {}
for i = 1, tonumber(take()) do entries[i] = take() end
if redis.call('HGET', record, 'state') ~= 'accepted' then return 0 end
redis.call('HSET', record, 'state', 'dispatched', 'status', 'in-queue', 'updatedAt', now, 'open', parts)
if redis.call('HSTRLEN', record, 'audience') > ${MAX_KEPT_AUDIENCE} then
  redis.call('HSET', record, 'audience', '{"audience":{"isForgotten":true},"where":{}}')
end
for i = 1, #entries, 2 do redis.call('HSET', ledger, entries[i], entries[i + 1]) end
redis.call('ZADD', open, now, push)
addBooks()
closeIfDone()
return 1`);

/**
 * Folds a page: outcomes and resume point together, once.
 * ARGV behind the first three: part ('at|<lane>' or 'page|<n>'), the value that the ledger must hold ('' for a page), the
 * next value ('done' closes a lane), retry page (JSON or ''), then the books.
 * Answers state ('gone', 'stale', 'cancelled' or the record's status) and the number of the retry page.
 */
export const foldScript = defineScript(`${BOOKS}
local part, expected, following, retry = take(), take(), take(), take()
if redis.call('EXISTS', record) == 0 then return { 'gone', 0 } end
local current = redis.call('HGET', ledger, part)
local isPage = string.sub(part, 1, 5) == 'page|'
if not current or (not isPage and current ~= expected) then return { 'stale', 0 } end
local number = 0
if retry ~= '' then
  number = redis.call('HINCRBY', ledger, 'pages', 1)
  redis.call('HSET', ledger, 'page|' .. number, retry)
  redis.call('HINCRBY', record, 'open', 1)
end
if isPage or following == 'done' then
  redis.call('HDEL', ledger, part, 'tries|' .. part)
  redis.call('HINCRBY', record, 'open', -1)
else
  redis.call('HSET', ledger, part, following)
  redis.call('HDEL', ledger, 'tries|' .. part)
end
redis.call('HSET', record, 'updatedAt', now)
addBooks()
closeIfDone()
if redis.call('HEXISTS', record, 'cancelled') == 1 then return { 'cancelled', number } end
return { redis.call('HGET', record, 'status'), number }`);

/**
 * Cancels a push. One that is not dispatched is closed at once; of the others, whoever folds next learns of it.
 * KEYS record, open pushes; ARGV push, now, the record's life after `done`. Answers 0 when there was nothing to cancel.
 */
export const cancelScript = defineScript(`
local record, open = KEYS[1], KEYS[2]
local push, now, retention = ARGV[1], ARGV[2], ARGV[3]
if redis.call('EXISTS', record) == 0 or redis.call('HSETNX', record, 'cancelled', now) == 0 then return 0 end
redis.call('HSET', record, 'updatedAt', now)
if redis.call('HGET', record, 'state') == 'accepted' then
  redis.call('HSET', record, 'state', 'dispatched', 'status', 'done', 'doneAt', now)
  redis.call('ZREM', open, push)
  redis.call('PEXPIRE', record, retention)
end
return 1`);

/**
 * Notes the tries of a lane that is still open; a ledger that was removed stays away.
 * KEYS ledger; ARGV part, tries.
 */
export const noteTriesScript = defineScript(`
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then redis.call('HSET', KEYS[1], 'tries|' .. ARGV[1], ARGV[2]) end
return 1`);
