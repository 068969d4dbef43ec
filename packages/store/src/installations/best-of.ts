interface Entry<T> {
  readonly item: T;
  /** The order in which they came. */
  readonly number: number;
}

/**
 * Keeps the first `count` of many things in some order: a heap with the last of them on top. No step of it takes longer than
 * a few comparisons, so that whoever adds many can let others have their turn in between.
 */
export class BestOf<T> {
  private readonly heap: Entry<T>[] = [];
  private added = 0;

  constructor(
    private readonly count: number,
    private readonly compare: (a: T, b: T) => number,
  ) {}

  add(item: T): void {
    const entry = { item, number: (this.added += 1) };
    if (this.heap.length < this.count) {
      this.heap.push(entry);
      this.rise(this.heap.length - 1);
      return;
    }
    const [last] = this.heap;
    if (!last || !this.isBehind(last, entry)) return;
    this.heap[0] = entry;
    this.sink();
  }

  /** Those behind the first `skip`, in order; they are taken out. */
  takeFrom(skip: number): readonly T[] {
    const taken: T[] = [];
    while (this.heap.length > skip) {
      const [last] = this.heap;
      const end = this.heap.pop();
      if (!last || !end) break;
      if (this.heap.length > 0) {
        this.heap[0] = end;
        this.sink();
      }
      taken.push(last.item);
    }
    return taken.reverse();
  }

  private isBehind(one: Entry<T>, other: Entry<T>): boolean {
    return (this.compare(one.item, other.item) || one.number - other.number) > 0;
  }

  private rise(from: number): void {
    for (let at = from; at > 0;) {
      const above = (at - 1) >> 1;
      if (!this.isBehindAt(at, above)) return;
      this.swap(at, above);
      at = above;
    }
  }

  private sink(): void {
    for (let at = 0; ;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const later = this.isBehindAt(right, left) ? right : left;
      if (!this.isBehindAt(later, at)) return;
      this.swap(at, later);
      at = later;
    }
  }

  /** False where there is nothing. */
  private isBehindAt(one: number, other: number): boolean {
    const [a, b] = [this.heap[one], this.heap[other]];
    return a !== undefined && b !== undefined && this.isBehind(a, b);
  }

  private swap(one: number, other: number): void {
    const [a, b] = [this.heap[one], this.heap[other]];
    if (a && b) [this.heap[one], this.heap[other]] = [b, a];
  }
}
