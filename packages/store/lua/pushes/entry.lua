-- What an entry of a list says behind the id of a push: bytes, and the app. That of a closed push stands in the record alone.
local appOf = include('pushes/app-of')

return function(entry, record)
  local bytes, app = string.match(entry, '^(%d+) ?(.*)$', ID_BYTES + 1)
  return tonumber(bytes), app == '' and appOf(record) or app
end
