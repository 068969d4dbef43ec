/** What a list says of records that are damaged: nothing where there are none. */
export const unreadableOf = (names: readonly string[]): { readonly unreadable?: readonly string[] } =>
  names.length > 0 ? { unreadable: names } : {};
