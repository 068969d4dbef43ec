import type { JsonObject } from '@pushfleet/domain';
import { csvLine } from './csv';

const COLUMNS = [
  ...(['objectId', 'installationId', 'registrationId', 'gone', 'count', 'channel', 'outcome', 'reason'] as const),
  ...(['vendorCode', 'vendorMessage', 'action', 'at'] as const),
];

export const CSV_HEAD = csvLine(COLUMNS);

/** What became of devices, a line each. */
export const csvOf = (rows: readonly JsonObject[]): string =>
  rows.map((row) => csvLine(COLUMNS.map((column) => row[column]))).join('');
