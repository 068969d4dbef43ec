/**
 * Hands out the calls of one method. They begin in the order of the body, and one that shares a name with an earlier one
 * not before that one is done.
 */
export class BodyOrder {
  /** By name: those that have it, the one whose turn it is first. */
  private readonly queues = new Map<string, number[]>();
  private readonly freed: number[] = [];
  private at: number;

  /** `namesOf` tells each name of a call once. */
  constructor(
    private readonly namesOf: (i: number) => readonly string[],
    private readonly range: { readonly begin: number; readonly end: number },
  ) {
    this.at = range.begin;
  }

  /** Undefined when none may begin before another is done. */
  next(): number | undefined {
    const freed = this.freed.shift();
    if (freed !== undefined) return freed;
    while (this.at < this.range.end) {
      const i = this.at;
      this.at += 1;
      this.queue(i);
      if (this.isFirst(i)) return i;
    }
    return undefined;
  }

  done(i: number): void {
    for (const name of this.namesOf(i)) {
      const queue = this.queues.get(name) ?? [];
      queue.shift();
      const [follower] = queue;
      if (follower === undefined) this.queues.delete(name);
      else if (this.isFirst(follower)) this.freed.push(follower);
    }
  }

  private queue(i: number): void {
    for (const name of this.namesOf(i)) {
      const queue = this.queues.get(name);
      if (queue) queue.push(i);
      else this.queues.set(name, [i]);
    }
  }

  private isFirst(i: number): boolean {
    return this.namesOf(i).every((name) => this.queues.get(name)?.[0] === i);
  }
}
