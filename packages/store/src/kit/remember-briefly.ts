import { BoundedMap, isStillAhead } from '@pushfleet/domain';

/** How long an answer is used again. */
export const BRIEF_MS = 1000;

const MAX_REMEMBERED = 10_000;

/** Answers of repeated questions, at most a second old. */
export interface Brief<T> {
  get(id: string): Promise<T>;
  forget(id: string): void;
  forgetAll(): void;
}

export function rememberBriefly<T>(read: (id: string) => Promise<T>, now: () => number): Brief<T> {
  const known = new BoundedMap<string, { readonly until: number; readonly answer: Promise<T> }>(MAX_REMEMBERED);
  return {
    get(id) {
      const hit = known.get(id);
      if (hit && isStillAhead(hit.until, now(), BRIEF_MS)) return hit.answer;
      const answer = read(id);
      known.set(id, { until: now() + BRIEF_MS, answer });
      answer.catch(() => known.delete(id));
      return answer;
    },
    forget: (id) => void known.delete(id),
    forgetAll: () => known.clear(),
  };
}
