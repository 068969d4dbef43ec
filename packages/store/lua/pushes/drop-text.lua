-- What a push says on the own channel goes with the last mailbox that holds it: each device that was accepted has confirmed it
-- or lost it to newer ones. Before the push is done, more devices may come. One that is booked as failed may have it, too, and
-- would be counted in the place of another: then it stays until it expires. So does what many devices share.
return function(record)
  local known = redis.call('HMGET', record, RECORD.status, OWN.failed, OWN.accepted, OWN.delivered)
  local accepted = tonumber(known[3]) or 0
  if known[1] ~= 'done' or known[2] or accepted == 0 or accepted > OWN.mostDevices then return end
  local gone = (tonumber(known[4]) or 0) + redis.call('SCARD', record .. OWN.lost)
  if gone >= accepted then redis.call('UNLINK', record .. OWN.text, record .. OWN.lost) end
end
