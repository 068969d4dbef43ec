-- What the text of a lane or a page tells without being decoded: a page holds a thousand devices, and everybody else waits
-- while a script runs. The patterns are sound because a quotation mark inside a JSON string is escaped.
local part = {}

function part.channel(text) return string.match(text, PART.channel) end
function part.profile(text) return string.match(text, PART.profile) end
function part.isDirect(text) return string.find(text, PART.isDirect, 1, true) ~= nil end

-- When a page is to be sent, and how its devices are booked if that is never.
function part.dueAt(text) return tonumber(string.match(text, PART.dueAt)) or 0 end
function part.booksAs(text) return string.match(text, PART.booksAs) or '' end

return part
