{ "code": 9999, "message": "a code of tomorrow" }
