import { writeJson } from '@pushfleet/domain';

/**
 * Spreadsheets calculate what begins so; an apostrophe makes it a text. One that separates cells by semicolon or tab sees cells
 * begin within ours, because our quotes do not stand at the beginning of its own.
 */
const FORMULA = /(^|[;\t\r\n])(?=[ "]*[=+\-@＝＋－＠])|^(?=[\t\r])/g;

/** A line of a table; what is no text stands in it as JSON. */
export const csvLine = (cells: readonly unknown[]): string => `${cells.map(cellOf).join(',')}\n`;

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : writeJson(value);
  const safe = text.replace(FORMULA, "$1'");
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
