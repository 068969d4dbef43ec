const ISO_DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** A point of time as clients send one: ISO 8601, milliseconds since the epoch, or a typed value. */
export type WireDate = string | number | { readonly __type: 'Date'; readonly iso: string };

/** The last moment that `Date` can hold (ECMA-262, "Time Values and Time Range"). */
export const LAST_DATE_MS = 8_640_000_000_000_000;

/** Milliseconds since the epoch; NaN for anything but a date that `Date` can hold. */
export function parseWireDate(value: unknown): number {
  if (typeof value === 'number') return new Date(value).getTime();
  return parseIsoDate(isTyped(value) ? value.iso : value);
}

const isTyped = (value: unknown): value is { readonly iso: unknown } =>
  typeof value === 'object' && value !== null && '__type' in value && value.__type === 'Date' && 'iso' in value;

/** Of dates that have a meaning; years and days of months that do not exist are left to the parser. */
export const ISO_DATE_PATTERN = String.raw`^[12]\d{3}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-](0\d|1[0-4]):[0-5]\d)?)?$`;

const DAY_LENGTH = 'YYYY-MM-DD'.length;

/** `Date.parse` takes the 30th of February for the 1st or 2nd of March. */
const isOfItsMonth = (day: string): boolean => new Date(day).getUTCDate() === Number(day.slice(-2));

/** Milliseconds since the epoch; NaN for anything but an ISO 8601 date. A date without zone is UTC. */
export function parseIsoDate(value: unknown): number {
  const zone = typeof value === 'string' ? ISO_DATE.exec(value) : null;
  if (!zone) return NaN;
  const hasTime = zone[1] !== undefined;
  if (!isOfItsMonth(zone[0].slice(0, DAY_LENGTH))) return NaN;
  return Date.parse(hasTime && zone[4] === undefined ? `${zone[0]}Z` : zone[0]);
}

const ZONE = /(Z|[+-]\d{2}:?\d{2})$/;

/** Whether it says no zone, and is taken for UTC. */
export function lacksZone(date: WireDate): boolean {
  if (typeof date === 'number') return false;
  return !ZONE.test(typeof date === 'string' ? date : date.iso);
}
