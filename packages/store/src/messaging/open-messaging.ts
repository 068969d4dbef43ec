import { openAnswers, type Answers } from './answers';
import { openBindings, type Bindings } from './bindings';
import type { MessagingParts } from './messaging-parts';
import { openMutes, type Mutes } from './mutes';

/** What a chat server has told of its clients. */
export interface MessagingStore {
  readonly mutes: Mutes;
  readonly bindings: Bindings;
  readonly answers: Answers;
}

export const openMessaging = (parts: MessagingParts): MessagingStore => ({
  mutes: openMutes(parts),
  bindings: openBindings(parts),
  answers: openAnswers(parts),
});
