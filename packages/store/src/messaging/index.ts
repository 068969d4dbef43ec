export { MESSAGING_KEYS, messagingKeys, type MessagingKeys } from './keys';
export { MUTE_BYTES } from './mutes';
export { openMessaging, type MessagingStore } from './open-messaging';
export type { MessagingRoom } from './within-room';
