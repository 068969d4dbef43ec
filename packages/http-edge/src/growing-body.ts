const FIRST_CAPACITY = 64 * 1024;
const NOTHING = Buffer.alloc(0);

/** One buffer for all of a body: each of many tiny chunks would cost some hundred bytes by itself. */
export class GrowingBody {
  private buffer: Buffer = NOTHING;
  bytes = 0;

  constructor(private readonly declared: number) {}

  /** What is held now. */
  add(chunk: Buffer): number {
    const bytes = this.bytes + chunk.length;
    if (this.bytes === 0) this.buffer = chunk;
    else {
      if (bytes > this.buffer.length) this.grow(bytes);
      chunk.copy(this.buffer, this.bytes);
    }
    this.bytes = bytes;
    return this.buffer.length;
  }

  whole(): Buffer {
    return this.bytes === this.buffer.length ? this.buffer : this.buffer.subarray(0, this.bytes);
  }

  drop(): void {
    this.buffer = NOTHING;
  }

  private grow(needed: number): void {
    const doubled = Math.max(needed, 2 * this.buffer.length, FIRST_CAPACITY);
    const capacity = this.declared >= needed ? Math.min(this.declared, doubled) : doubled;
    const buffer = Buffer.allocUnsafeSlow(capacity);
    this.buffer.copy(buffer, 0, 0, this.bytes);
    this.buffer = buffer;
  }
}
