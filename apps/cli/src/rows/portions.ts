import type { BadRow, Row, SoundRow } from './row';

/** What one request carries: the console takes bodies of at most 8 MiB. */
const MAX_BYTES = 5 * 1024 * 1024;
const MAX_ROWS = 10_000;

export interface Portion {
  readonly sound: readonly SoundRow[];
  readonly bad: readonly BadRow[];
  /** Of the last row. */
  readonly number: number;
}

export async function* portionsOf(rows: AsyncIterable<Row>): AsyncGenerator<Portion> {
  let [sound, bad]: [SoundRow[], BadRow[]] = [[], []];
  let [bytes, number] = [0, 0];
  for await (const row of rows) {
    const size = 'text' in row ? Buffer.byteLength(row.text) : 0;
    if (sound.length + bad.length === MAX_ROWS || (bytes > 0 && bytes + size > MAX_BYTES)) {
      yield { sound, bad, number };
      [sound, bad, bytes] = [[], [], 0];
    }
    if ('text' in row) sound.push(row);
    else bad.push(row);
    bytes += size;
    number = row.number;
  }
  if (sound.length + bad.length > 0) yield { sound, bad, number };
}
