export const ENDPOINTS = {
  HMS_AUTH_URL: 'https://oauth-login.cloud.huawei.com',
  HMS_PUSH_URL: 'https://push-api.cloud.huawei.com',
} as const;
