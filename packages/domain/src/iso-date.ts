const ISO_DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Milliseconds since the epoch; NaN for anything but an ISO 8601 date. A date without zone is UTC. */
export function parseIsoDate(value: unknown): number {
  const zone = typeof value === 'string' ? ISO_DATE.exec(value) : null;
  if (!zone) return NaN;
  const hasTime = zone[1] !== undefined;
  return Date.parse(hasTime && zone[4] === undefined ? `${zone[0]}Z` : zone[0]);
}
