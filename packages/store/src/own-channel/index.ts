export type { GatewayNode, GatewayStore, Hint } from './gateways';
export { OWN_CHANNEL_KEYS, ownChannelKeys, type OwnChannelKeys } from './keys';
export { type MailboxPush, type MailboxStore, readReference, referenceOf, type Stored } from './mailboxes';
export { openOwnChannelStores, type OwnChannelStores } from './open-own-channel-stores';
export type { PresenceStore } from './presence';
