type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Presence matters on this wire: a field that is not there is not there. */
export function defined<T extends object>(fields: T): Partial<Defined<T>> & Pick<Defined<T>, 'cmd' & keyof T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}
