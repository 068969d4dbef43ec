export const ENDPOINTS = { VIVO_PUSH_URL: 'https://api-push.vivo.com.cn' } as const;

export const AUTH_PATH = '/message/auth';
export const SEND_PATH = '/message/send';
export const SAVE_PATH = '/message/saveListPayload';
export const LIST_PATH = '/message/pushToList';
