/** Mainland China; `https://api.push.oppomobile.com` is the older host and speaks the same protocol. */
export const ENDPOINTS = { OPPO_PUSH_URL: 'https://api-push-cn.heytapmobi.com' } as const;

export const AUTH_PATH = '/server/v1/auth';
export const UNICAST_PATH = '/server/v1/message/notification/unicast';
export const UNICAST_BATCH_PATH = '/server/v1/message/notification/unicast_batch';
export const SAVE_PATH = '/server/v1/message/notification/save_message_content';
export const BROADCAST_PATH = '/server/v1/message/notification/broadcast';
