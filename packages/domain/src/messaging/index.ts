export { CLIENT_ID_PATTERN, isClientId, clientIdRule } from './client-id';
export { CONVERSATION_ID_PATTERN, conversationOf, mutableConversationOf } from './conversation-id';
export { mutedIn, mutesSchema } from './mutes';
export { offlinePushOf, requirePushable, type OfflinePush } from './offline-content';
export { offlineMessageSchema, parseOfflineMessage, type OfflineMessage } from './offline-message';
export { staticPushSchema } from './static-push';
