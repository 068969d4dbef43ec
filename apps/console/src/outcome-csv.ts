import type { Json, JsonObject } from '@pushfleet/domain';

const COLUMNS = [
  ...(['objectId', 'installationId', 'registrationId', 'gone', 'count', 'channel', 'outcome', 'reason'] as const),
  ...(['vendorCode', 'vendorMessage', 'action', 'at'] as const),
];

/**
 * Spreadsheets calculate what begins so; an apostrophe makes it a text. One that separates cells by semicolon or tab sees cells
 * begin within ours, because our quotes do not stand at the beginning of its own.
 */
const FORMULA = /(^|[;\t\r\n])(?=[ "]*[=+\-@＝＋－＠])|^(?=[\t\r])/g;

export const CSV_HEAD = `${COLUMNS.join(',')}\n`;

/** What became of devices, a line each. */
export const csvOf = (rows: readonly JsonObject[]): string =>
  rows.map((row) => `${COLUMNS.map((column) => cellOf(row[column])).join(',')}\n`).join('');

function cellOf(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = text.replace(FORMULA, "$1'");
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
