/** Production origins, without path. */
export const ENDPOINTS = {
  __NAME___AUTH_URL: 'https://auth.__name__.example',
  __NAME___PUSH_URL: 'https://push.__name__.example',
} as const;
