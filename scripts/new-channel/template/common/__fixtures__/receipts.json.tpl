{
  "events": [
    { "token": "regA", "tag": "pushidpushidpush", "event": "delivered", "at": 1700000000000 },
    { "token": "regB", "event": "a-new-event" },
    { "event": "delivered" }
  ]
}
