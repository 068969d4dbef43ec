import { LIMITS } from '@pushfleet/domain';
import { Refusal } from './refusal';

/**
 * A caller takes a stream as slowly as it likes: asked for before each further piece. Rejects when the caller may not have it any
 * more, and when the stream has taken too long.
 */
export function openStreamTerm(judge: () => Promise<unknown>): () => Promise<void> {
  const { value: ms } = LIMITS.streamMs;
  const endsAt = performance.now() + ms;
  return async () => {
    if (performance.now() >= endsAt)
      throw new Refusal('too-slow', `the stream has taken longer than ${ms} ms: read faster, or ask for less`);
    await judge();
  };
}
