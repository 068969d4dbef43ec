-- Names those of these commands that the user of this connection may not run about a key, or does not find.
local key, commands = ...

local refused = {}
if not redis.acl_check_cmd then return refused end
for _, command in ipairs(commands) do
  local name, subcommand = string.match(command, '^([^|]+)|?(.*)$')
  local words = subcommand == '' and { name, key, key, key } or { name, subcommand, key, key }
  local isKnown, isAllowed = pcall(redis.acl_check_cmd, unpack(words))
  if not (isKnown and isAllowed) then refused[#refused + 1] = command end
end
return refused
