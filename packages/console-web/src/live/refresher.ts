import type { Query, QueryClient } from '@tanstack/react-query';
import { errorOf } from '../api/client';
import type { Digests } from './event-stream';

/** From one asking about a topic to the next. */
const LEAST_MS = 1000;

/** The topic that a query is about; its `meta` says so. */
const topicOf = ({ meta }: Query): string | undefined => {
  const topic = meta?.['topic'];
  return typeof topic === 'string' ? topic : undefined;
};

export interface Answered {
  readonly state: { readonly data: unknown; readonly error: Error | null };
}

/** Whether its last answer is what it shows. */
const isAnswered = ({ state }: Answered): boolean => state.data !== undefined && state.error === null;

/**
 * A stream tells that a look found something else than the one before. What changed and changed back in between is told to nobody,
 * and an answer may have shown it: no page stands so for longer than this.
 */
const SURE_MS = 30_000;

/**
 * After how long an answer is asked for again by the clock. What failed is asked for as without a stream: its topic may stay as it
 * is for good.
 */
export const askAgainMs = (query: Answered, { isLive, everyMs }: { isLive: boolean; everyMs: number }): number =>
  isLive && isAnswered(query) ? Math.max(SURE_MS, everyMs) : everyMs;

/** A stream with one topic that the API refuses is refused whole, for all tabs of the browser. */
const isAsked = ({ state }: Answered): boolean => state.data !== undefined && errorOf(state.error)?.status !== 403;

export const topicsShown = (client: QueryClient): readonly string[] => {
  const shown = client.getQueryCache().findAll({ type: 'active', predicate: isAsked });
  return [...new Set(shown.map(topicOf).filter((topic) => topic !== undefined))].sort();
};

/** Asks the API again for what changed, once a second at most however often it changes. */
export class Refresher {
  private readonly known = new Map<string, string>();
  private readonly busy = new Set<string>();
  private readonly dirty = new Set<string>();

  constructor(private readonly client: QueryClient) {}

  take(digests: Digests): void {
    for (const [topic, digest] of Object.entries(digests)) {
      if (this.known.get(topic) === digest) continue;
      this.known.set(topic, digest);
      void this.refresh(topic);
    }
  }

  private async refresh(topic: string): Promise<void> {
    this.dirty.add(topic);
    if (this.busy.has(topic)) return;
    this.busy.add(topic);
    while (this.dirty.delete(topic)) {
      // An answer that is on its way may be older than the change.
      const asked = this.client.refetchQueries(
        { type: 'active', predicate: (query) => topicOf(query) === topic },
        { cancelRefetch: true },
      );
      await Promise.all([asked, new Promise((resolve) => setTimeout(resolve, LEAST_MS))]);
    }
    this.busy.delete(topic);
  }
}
