{ "code": 0, "messageId": "m-1" }
