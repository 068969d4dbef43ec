#!lua flags=allow-oom
-- Goes through steps of the identity protocol in look-ups. Answers the second of Redis' clock, then
-- for each step the objectId that the look-up names behind it, '' for nobody, and the token of the release under way.
-- With an id that is given up go its mailboxes, if they are named.
-- each of steps: step, lookUps, releases, field, objectId, token, mailboxes.
local steps = ...

local answers = { redis.call('TIME')[1] }

local function take(one, owner)
  if one.step == 'point' or owner == '' then redis.call('HSET', one.lookUps, one.field, one.objectId)
  elseif owner ~= one.objectId then return owner, '' end
  redis.call('HDEL', one.releases, one.field)
  return one.objectId, ''
end

-- Several who release one id from one record share a token, or each would undo what the others have begun.
local function leave(one, owner)
  if owner ~= one.objectId then return owner, '' end
  local token = redis.call('HGET', one.releases, one.field)
  -- Earlier versions left marks without a name.
  if not token or token == '' then token = one.token end
  redis.call('HSET', one.releases, one.field, token)
  redis.call('PEXPIRE', one.releases, RELEASE_MS)
  return owner, token
end

local function giveUp(one, owner)
  if owner ~= one.objectId or redis.call('HGET', one.releases, one.field) ~= one.token then return owner, '' end
  redis.call('HDEL', one.lookUps, one.field)
  redis.call('HDEL', one.releases, one.field)
  for _, mailbox in ipairs(one.mailboxes) do redis.call('UNLINK', mailbox) end
  return '', ''
end

for i, one in ipairs(steps) do
  local owner, token = redis.call('HGET', one.lookUps, one.field) or '', ''
  if one.step == 'claim' or one.step == 'point' then owner, token = take(one, owner)
  elseif one.step == 'leave' then owner, token = leave(one, owner)
  elseif one.step == 'give-up' then owner, token = giveUp(one, owner) end
  answers[2 * i] = owner
  answers[2 * i + 1] = token
end
return answers
