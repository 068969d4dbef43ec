/** One bound: the code reads its value here, and `docs/limits.md` is written from it. */
export interface Limit {
  readonly value: number;
  /** As it stands behind the value in a message: `500 conditions`. */
  readonly unit: string;
  /** What is bounded, for the document. */
  readonly bounds: string;
  /** How the caller is refused; absent when nobody is. */
  readonly answer?: { readonly status: number; readonly code: number };
  /** What happens beyond the limit, where that is not simply the answer to the whole request. */
  readonly beyond?: string;
  /** The environment variable or the setting of an app that changes the value; absent: it is fixed. */
  readonly setting?: string;
}

/** Limits by name; a name ends with its unit where the unit is a measure. */
export type Limits = Readonly<Record<string, Limit>>;
