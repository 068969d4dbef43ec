export { isClientId, clientIdRule } from './client-id';
export { conversationOf, mutableConversationOf } from './conversation-id';
export { mutedIn, mutesSchema } from './mutes';
export { offlinePushOf, type OfflinePush } from './offline-content';
export { offlineMessageSchema, parseOfflineMessage, type OfflineMessage } from './offline-message';
export { staticPushSchema } from './static-push';
