import { LIMITS } from '@pushfleet/domain';
import { inPortions } from '../portions';
import type { BadRow, Row, SoundRow } from './row';

/** What one request carries: the console takes bodies of at most 8 MiB. */
const MAX_BYTES = 5 * 1024 * 1024;

export interface Portion {
  readonly sound: readonly SoundRow[];
  readonly bad: readonly BadRow[];
  /** Why nothing can be read behind it. */
  readonly damage: string | undefined;
  /** Of the last row, or of the one before the damage. */
  readonly number: number;
}

export async function* portionsOf(rows: AsyncIterable<Row>): AsyncGenerator<Portion> {
  for await (const portion of inPortions(rows, { items: LIMITS.importRows.value, bytes: MAX_BYTES, bytesOf })) {
    const sound = portion.filter((row): row is SoundRow => 'text' in row);
    const unread = portion.filter((row): row is BadRow => 'error' in row);
    const bad = unread.filter(({ isDamage }) => isDamage !== true);
    const damage = unread.find(({ isDamage }) => isDamage);
    const number = portion.findLast(isRow)?.number ?? (damage?.number ?? 1) - 1;
    yield { sound, bad, damage: damage?.error, number };
  }
}

const bytesOf = (row: Row): number => ('text' in row ? Buffer.byteLength(row.text) : 0);

const isRow = (row: Row): boolean => !('isDamage' in row);
