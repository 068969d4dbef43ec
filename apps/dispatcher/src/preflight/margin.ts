/** A part of a population that was looked at, chosen by chance. */
export interface Sample {
  readonly found: number;
  readonly lookedAt: number;
  /** All there are; absent where that is not known. */
  readonly of?: number | undefined;
  /** Of the population; 1: all of it was looked at. */
  readonly share: number;
}

/** Holds for more than 95 of 100 samples, because the intervals are approximations where little was found. */
const Z = 2.5;

/** How many there are of what was looked for, by the sample. */
export function estimateOf({ found, lookedAt, of, share }: Sample): number {
  if (share >= 1 || found === 0) return found;
  return Math.round(of === undefined ? found / share : (of * found) / lookedAt);
}

/** How far the estimate is from the true number, in 95 of 100 samples at most. */
export function marginOf(sample: Sample): number {
  if (sample.share >= 1) return 0;
  return Math.ceil(sample.of === undefined ? marginOfCount(sample) : marginOfShare({ ...sample, of: sample.of }));
}

/** The wider half of Wilson's interval, for a population of which a part was looked at. */
function marginOfShare({ found, lookedAt, of }: Sample & { readonly of: number }): number {
  if (lookedAt === 0) return of;
  const share = found / lookedAt;
  const spread = (Z * Z) / lookedAt;
  const centre = (share + spread / 2) / (1 + spread);
  const half = Math.sqrt(spread * share * (1 - share) + (spread * spread) / 4) / (1 + spread);
  const unseen = Math.sqrt(Math.max(0, of - lookedAt) / Math.max(1, of - 1));
  return of * unseen * (half + Math.abs(centre - share));
}

/** Of what is spread by chance, as many are found as a Poisson distribution tells. */
const marginOfCount = ({ found, share }: Sample): number =>
  (Math.sqrt(1 - share) * (Z * Math.sqrt(found + (Z * Z) / 4) + (Z * Z) / 2)) / share;
