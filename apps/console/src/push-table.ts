import { sum, type ChannelBooks, type Json, type JsonObject } from '@pushfleet/domain';
import { csvLine } from './csv';

/** As the record calls them; what counts devices counts those of all channels. */
const COLUMNS = [
  ...(['objectId', 'notificationId', 'createdAt', 'push-time', 'expiresAt', 'status', 'cancelled'] as const),
  ...(['title', 'alert', 'where', 'devices', 'successes'] as const),
  ...(['accepted', 'delivered', 'clicked', 'discarded', 'failed', 'outstanding', 'channels'] as const),
];

export const pushTableHead = csvLine(COLUMNS);

/** A push in a line. */
export function pushTableLine(view: JsonObject): string {
  const books = view['channels'] as unknown as Readonly<Record<string, ChannelBooks>>;
  const countOf = (count: (column: ChannelBooks) => number): number =>
    Object.values(books).reduce((all, column) => all + count(column), 0);
  const cells: Readonly<Record<string, Json | undefined>> = {
    ...view,
    ...textsOf(view['msg'] as JsonObject),
    accepted: countOf(({ accepted }) => accepted),
    delivered: countOf(({ delivered }) => delivered),
    clicked: countOf(({ clicked }) => clicked),
    discarded: countOf(({ discarded }) => sum(discarded)),
    failed: countOf(({ failed }) => sum(failed)),
    outstanding: countOf(({ outstanding }) => outstanding),
    channels: Object.keys(books).sort().join(' '),
  };
  return csvLine(COLUMNS.map((column) => cells[column]));
}

/** An alert may be a text, or have a title and a text of its own. */
function textsOf({ title, alert }: JsonObject): JsonObject {
  const parts = typeof alert === 'object' && alert !== null && !Array.isArray(alert) ? (alert as JsonObject) : {};
  return { title: title ?? parts['title'] ?? null, alert: parts['body'] ?? alert ?? null };
}
