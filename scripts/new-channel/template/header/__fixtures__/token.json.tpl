{ "code": 0, "token": "t-1", "expiresIn": 3600 }
