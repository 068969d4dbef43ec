{ "code": 0, "messageId": "m-2", "refused": ["regB"] }
