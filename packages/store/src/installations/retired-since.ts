import type { Places } from './read';

/** Notes that are read at once. */
const PAGE = 1000;

/** The installations whose registrations were retired since a moment; what is noted later is read on. */
export class RetiredSince {
  private readonly objectIds = new Set<string>();
  private from: string;

  constructor(
    private readonly places: Places,
    private readonly of: { readonly app: string; readonly since: number },
  ) {
    this.from = String(of.since);
  }

  /** A note stands before its installation moves: nothing is missing of what was read before this is asked. */
  async upToNow(): Promise<ReadonlySet<string>> {
    const { redis, keys } = this.places;
    for (;;) {
      const notes = await redis.xrange(keys.retired(this.of.app), this.from, '+', 'COUNT', PAGE);
      for (const [id, [, text = '']] of notes) {
        this.objectIds.add(text.slice(0, text.indexOf(' ')));
        this.from = `(${id}`;
      }
      if (notes.length < PAGE) return this.objectIds;
    }
  }
}
