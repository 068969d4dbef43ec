/** The code of the 1.1 API with which a caller beyond a limit is refused, and its HTTP status. */
export const BAD_QUERY = { status: 400, code: 102 } as const;
export const MALFORMED = { status: 400, code: 107 } as const;
export const INVALID = { status: 400, code: 111 } as const;
export const THRESHOLD = { status: 400, code: 154 } as const;
export const FULL = { status: 409, code: 409 } as const;
export const TOO_LARGE = { status: 413, code: 413 } as const;
export const TOO_MANY = { status: 429, code: 429 } as const;
export const UNAVAILABLE = { status: 503, code: 503 } as const;
