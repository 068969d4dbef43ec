/** The vendor's older brand domain, `hihonor.com`, speaks the same protocol. */
export const ENDPOINTS = {
  HONOR_AUTH_URL: 'https://iam.developer.honor.com',
  HONOR_PUSH_URL: 'https://push-api.cloud.honor.com',
} as const;
