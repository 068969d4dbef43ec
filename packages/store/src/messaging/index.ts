export { MESSAGING_KEYS, messagingKeys } from './keys';
export { openMessaging, type MessagingStore } from './open-messaging';
