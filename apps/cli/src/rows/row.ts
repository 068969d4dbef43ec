/** One installation of an export as it was found in its file. */
export interface SoundRow {
  /** Counted from 1: the line, or the place of the document. */
  readonly number: number;
  /** One JSON object. */
  readonly text: string;
}

export interface BadRow {
  readonly number: number;
  readonly error: string;
  /** Not a row, but the end of what can be read: nobody knows how much comes behind it. */
  readonly isDamage?: true;
}

export type Row = SoundRow | BadRow;

/** A row that takes more cannot be an installation, however it is spelled; it is not kept while it is read. */
export const MAX_ROW_BYTES = 256 * 1024;

export const tooLarge = (number: number): BadRow => ({ number, error: `is larger than ${MAX_ROW_BYTES} bytes` });

/** `number` is that of the row that would stand there. */
export const damage = (number: number, error: string): BadRow => ({ number, error, isDamage: true });
