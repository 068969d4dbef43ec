import type { JsonObject } from './json';
import { COMMON_NAMES } from './message';
import { misspelledKeys } from './misspelled-keys';
import type { PushWarning } from './push-warnings';

interface ReadKeys {
  /** Parameters of the call and names of sections. */
  readonly known: readonly string[];
  /** By name, what to tell of parameters that other calls read. */
  readonly elsewhere: ReadonlyMap<string, string>;
}

const BESIDE_DATA: ReadonlyMap<string, string> = new Map(
  [...COMMON_NAMES].map((name) => [name, `is not read beside data; its place is data.${name}`]),
);

/** Keys of a push that nobody reads, as far as it can be told what was meant by them. */
export function unreadKeys(body: JsonObject, { known, elsewhere }: ReadKeys): readonly PushWarning[] {
  const read = new Set(known);
  const unread = Object.keys(body).filter((name) => !read.has(name));
  const misplaced = unread.flatMap((path): readonly PushWarning[] => {
    const message = elsewhere.get(path) ?? BESIDE_DATA.get(path);
    return message === undefined ? [] : [{ path, message }];
  });
  const told = new Set(misplaced.map(({ path }) => path));
  const others = unread.filter((name) => !told.has(name));
  return [...misplaced, ...misspelledKeys(others, known)];
}
