import { createHash } from 'node:crypto';
import { writeJson, type Json } from '@pushfleet/domain';
import type { Logger } from '@pushfleet/service-kit';
import type { Topic, TopicKind } from './topics';

/** Topics that are looked at together. */
const AT_ONCE = 50;
/** A kind rests so many times as long as it was looked at: whatever is asked for, looks leave most of the time to others. */
const REST = 4;

export interface WatchPorts {
  readonly log: Pick<Logger, 'warn'>;
  /** No look is under way any more. */
  readonly onLooked: () => void;
}

/**
 * What topics stand at, looked at anew as often as their kinds say; what nobody asks for is forgotten. Nobody waits for a look,
 * which takes as long as a vendor or Redis takes: a kind has one at a time, and holds up no other kind.
 */
export class Watch {
  readonly digests = new Map<string, string>();
  private readonly dueAt = new Map<string, number>();
  private readonly looking = new Set<TopicKind>();
  private isClosed = false;

  constructor(private readonly ports: WatchPorts) {}

  /** Whether one of them was never looked at, and could be now. */
  lacks(topics: readonly Topic[]): boolean {
    return topics.some(({ name, kind }) => !this.dueAt.has(name) && !this.looking.has(kind));
  }

  /** Begins the looks that are due. */
  look(topics: readonly Topic[]): void {
    const wanted = new Map(topics.map((topic) => [topic.name, topic]));
    for (const name of [...this.dueAt.keys()].filter((known) => !wanted.has(known))) {
      this.digests.delete(name);
      this.dueAt.delete(name);
    }
    const now = performance.now();
    const isDue = ({ name, kind }: Topic): boolean =>
      !this.looking.has(kind) && (this.dueAt.get(name) ?? -Infinity) <= now;
    const due = [...wanted.values()].filter(isDue);
    for (const { name, kind } of due) this.dueAt.set(name, now + kind.everyMs);
    for (const [kind, some] of byKind(due)) void this.lookAtAll(kind, some);
  }

  /** What looks still find is of no interest any more. */
  close(): void {
    this.isClosed = true;
  }

  private async lookAtAll(kind: TopicKind, topics: readonly Topic[]): Promise<void> {
    this.looking.add(kind);
    const startedAt = performance.now();
    for (let from = 0; from < topics.length && !this.isClosed; from += AT_ONCE)
      await this.lookAt(kind, topics.slice(from, from + AT_ONCE));
    this.looking.delete(kind);
    const endedAt = performance.now();
    const restsUntil = endedAt + REST * (endedAt - startedAt);
    for (const { name } of topics) this.restUntil(name, restsUntil);
    if (!this.isClosed && this.looking.size === 0) this.ports.onLooked();
  }

  /** Nobody may ask for it any more. */
  private restUntil(name: string, time: number): void {
    const dueAt = this.dueAt.get(name);
    if (dueAt !== undefined) this.dueAt.set(name, Math.max(dueAt, time));
  }

  private async lookAt(kind: TopicKind, topics: readonly Topic[]): Promise<void> {
    try {
      const views = await kind.look(topics);
      topics.forEach(({ name }, i) => {
        // Nobody may ask for it any more.
        if (this.dueAt.has(name)) this.digests.set(name, digestOf(views[i]));
      });
    } catch (err) {
      // Its readers know what they knew; it is looked at again when it is due.
      if (!this.isClosed) this.ports.log.warn({ err }, 'what live streams tell of could not be read');
    }
  }
}

/** The same for what is the same, and short. */
const digestOf = (view: unknown): string =>
  createHash('sha256')
    .update(writeJson((view ?? null) as Json))
    .digest('base64url')
    .slice(0, 12);

function byKind(topics: readonly Topic[]): ReadonlyMap<TopicKind, readonly Topic[]> {
  const kinds = new Map<TopicKind, Topic[]>();
  for (const topic of topics) kinds.set(topic.kind, [...(kinds.get(topic.kind) ?? []), topic]);
  return kinds;
}
