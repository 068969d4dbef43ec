/** The parts of the first that are otherwise, or not at all, in the second. */
export const differing = <T extends object>(now: T, before: T): Partial<T> =>
  Object.fromEntries(Object.entries(now).filter(([key, value]) => value !== before[key as keyof T])) as Partial<T>;
