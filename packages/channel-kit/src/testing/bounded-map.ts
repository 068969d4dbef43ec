/** Forgets its oldest entry before it holds more than `max`: a simulator's memory has an end. */
export class BoundedMap<V> extends Map<string, V> {
  constructor(private readonly max: number) {
    super();
  }

  override set(key: string, value: V): this {
    super.set(key, value);
    const oldest = this.size > this.max ? this.keys().next().value : undefined;
    if (oldest !== undefined) this.delete(oldest);
    return this;
  }
}
