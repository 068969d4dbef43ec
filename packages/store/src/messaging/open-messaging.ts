import { openBindings, type Bindings } from './bindings';
import type { MessagingParts } from './messaging-parts';
import { openMutes, type Mutes } from './mutes';

/** What a chat server has told of its clients. */
export interface MessagingStore {
  readonly mutes: Mutes;
  readonly bindings: Bindings;
}

export const openMessaging = (parts: MessagingParts): MessagingStore => ({
  mutes: openMutes(parts),
  bindings: openBindings(parts),
});
