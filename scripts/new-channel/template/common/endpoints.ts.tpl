/** Production origins, without path. */
export const ENDPOINTS = {
  __NAME___AUTH_URL: 'https://auth.__name__.example',
  __NAME___PUSH_URL: 'https://push.__name__.example',
} as const;

export const TOKEN_PATH = '/__name__/token';
export const SEND_PATH = '/__name__/v1/messages';
