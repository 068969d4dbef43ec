export interface PortionBounds<T> {
  readonly items: number;
  readonly bytes: number;
  readonly bytesOf: (item: T) => number;
}

/** Gathers what one request carries; an item that is larger than that goes by itself. */
export async function* inPortions<T>(items: AsyncIterable<T>, most: PortionBounds<T>): AsyncGenerator<readonly T[]> {
  let portion: T[] = [];
  let bytes = 0;
  for await (const item of items) {
    const size = most.bytesOf(item);
    if (portion.length > 0 && (portion.length === most.items || bytes + size > most.bytes)) {
      yield portion;
      portion = [];
      bytes = 0;
    }
    portion.push(item);
    bytes += size;
  }
  if (portion.length > 0) yield portion;
}
