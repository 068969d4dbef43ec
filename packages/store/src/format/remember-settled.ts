/** How long an answer is not asked for again. */
const ASK_EVERY_MS = 1000;

/**
 * Whether the data are settled, as far as it is known: whoever asks does not wait for Redis, so that the order of commands stays. A question that fails is asked
 * again. What is settled stays so.
 */
export function rememberSettled(isSettled: () => Promise<boolean>, now: () => number): () => boolean {
  let known = false;
  let askedAt = -Infinity;
  const ask = async (): Promise<void> => void (known = await isSettled());
  return () => {
    if (!known && now() - askedAt >= ASK_EVERY_MS) {
      askedAt = now();
      ask().catch(() => (known = false));
    }
    return known;
  };
}
