import type { MemoryGuard } from '../kit/memory-guard';
import type { RedisClient } from '../kit/redis';
import type { Rounds } from '../kit/rounds';
import type { PushKeys } from '../pushes';
import { openGateways, type GatewayStore } from './gateways';
import type { OwnChannelKeys } from './keys';
import { openMailboxes, type MailboxStore } from './mailboxes';
import { openPresence, type PresenceStore } from './presence';

export interface OwnChannelStores {
  readonly mailboxes: MailboxStore;
  readonly presence: PresenceStore;
  readonly gateways: GatewayStore;
}

interface Parts {
  readonly redis: RedisClient;
  readonly keys: OwnChannelKeys & PushKeys;
  readonly memory: MemoryGuard;
  readonly rounds: Rounds;
  readonly now: () => number;
}

export const openOwnChannelStores = (parts: Parts): OwnChannelStores => ({
  mailboxes: openMailboxes(parts),
  presence: openPresence(parts),
  gateways: openGateways(parts),
});
