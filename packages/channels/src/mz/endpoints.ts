/** Plain HTTP has not been served since 2025-04-22. */
export const ENDPOINTS = { MZ_PUSH_URL: 'https://server-api-push.meizu.com' } as const;
