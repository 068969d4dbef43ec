import { InvalidInput, type Audience } from '@pushfleet/domain';
import { Books, type PushToSend, type Store } from '@pushfleet/store';
import type { Plan } from './plan';
import { shortestWalk } from './shortest-walk';

/**
 * Answers the sub-queries in the condition of a push, once for every lane and every repetition. Without an answer, the plan
 * reaches no device.
 */
export async function resolveAudience(store: Store, push: PushToSend): Promise<PushToSend | Plan> {
  const { predicate } = push.audience;
  if (!predicate) return push;
  try {
    const resolved = await store.installations.resolve(push.app, predicate);
    if (resolved === predicate) return push;
    // What is kept here is what lanes walk: no plan can change it later.
    const walked = await shortestWalk(store.installations, {
      app: push.app,
      audience: { ...push.audience, predicate: resolved },
    });
    return { ...push, audience: await store.pushes.keepResolved(push.pushId, walked) };
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    await store.pushes.keepResolved(push.pushId, { ...NOBODY, refusal: error.message });
    return planRefusal(error.message);
  }
}

const NOBODY: Audience = { addressed: { field: 'objectId', values: [] } };

/** The error counts no device: it tells why no device was looked for. */
export function planRefusal(refusal: string): Plan {
  const books = new Books('');
  books.refuse('discarded', 'message-rejected', { count: 0, samples: [], vendorMessage: refusal });
  return { lanes: [], pages: [], books: [books] };
}
