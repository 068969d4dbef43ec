/** Mainland China; the vendor's regional hosts speak the same protocol. */
export const ENDPOINTS = { MI_PUSH_URL: 'https://api.xmpush.xiaomi.com' } as const;
