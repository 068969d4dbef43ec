/** Of installations. */
export interface Amount {
  readonly installations: number;
  readonly bytes: number;
}

export const NOTHING: Amount = { installations: 0, bytes: 0 };

const each =
  (combine: (one: number, other: number) => number) =>
  (one: Amount, other: Amount): Amount => ({
    installations: combine(one.installations, other.installations),
    bytes: combine(one.bytes, other.bytes),
  });

export const plus = each((one, other) => one + other);
export const minus = each((one, other) => one - other);
export const leastOf = each(Math.min);
export const mostOf = each(Math.max);

export const covers = (has: Amount, want: Amount): boolean =>
  has.installations >= want.installations && has.bytes >= want.bytes;
