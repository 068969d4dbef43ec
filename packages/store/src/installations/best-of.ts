/** Keeps the first `count` of many things in some order, holding about twice as many at most. */
export class BestOf<T> {
  private kept: T[] = [];

  constructor(
    private readonly count: number,
    private readonly compare: (a: T, b: T) => number,
  ) {}

  add(item: T): void {
    this.kept.push(item);
    if (this.kept.length > 2 * this.count + SLACK) this.trim();
  }

  sorted(): readonly T[] {
    this.trim();
    return this.kept;
  }

  private trim(): void {
    this.kept = this.kept.sort(this.compare).slice(0, this.count);
  }
}

const SLACK = 1000;
