import { z } from 'zod';

interface NumberRange {
  readonly min: number;
  readonly max: number;
  /** Most digits that are read as a number. */
  readonly digits: number;
}

/** A number of a query, which is text. */
export const wholeNumber = ({ min, max, digits }: NumberRange) =>
  z
    .string()
    .regex(new RegExp(`^\\d{1,${digits}}$`), 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min).max(max));

/** Where a page begins; absent for the first. */
export const cursorLike = (pattern: RegExp) => z.string().regex(pattern, 'is none of this API').optional();
