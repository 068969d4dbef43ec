import { readReference, type MailboxStore } from '@pushfleet/store';
import type { MailboxMessage } from './session';

/** A push that goes to many devices is read once, not once for each. */
const MAX_MESSAGES = 2000;

export interface MessageCache {
  /** Undefined when the message expired. */
  get(reference: string): Promise<MailboxMessage | undefined>;
}

export function openMessageCache(mailboxes: Pick<MailboxStore, 'message'>, now: () => number): MessageCache {
  const texts = new Map<string, Promise<string | undefined>>();
  const read = (id: string): Promise<string | undefined> => {
    const known = texts.get(id);
    if (known) return known;
    const text = mailboxes.message(id);
    texts.set(id, text);
    // What was not there may be there a moment later, and what failed may succeed.
    text.then(
      (found) => found === undefined && texts.delete(id),
      () => texts.delete(id),
    );
    if (texts.size > MAX_MESSAGES) texts.delete(texts.keys().next().value ?? '');
    return text;
  };
  return {
    async get(reference) {
      const { pushId: id, expiresAt } = readReference(reference);
      if (expiresAt <= now()) return undefined;
      const text = await read(id);
      return text === undefined ? undefined : { id, reference, text };
    },
  };
}
