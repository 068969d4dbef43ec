-- The app of a record, packed or not; '' for one that is gone, or is no record.
return function(record)
  local apps = redis.pcall('HMGET', record, RECORD.app, RECORD.packedApp)
  return apps[1] or apps[2] or ''
end
