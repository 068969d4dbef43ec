import type { JsonObject } from './json';
import { COMMON_NAMES } from './message';
import { misspelledKeys } from './misspelled-keys';
import type { PushWarning } from './push-warnings';

interface ReadKeys {
  /** Parameters of the call, and sections that every service has. */
  readonly known: ReadonlySet<string>;
  /** By name, the sections of vendors. */
  readonly sections: object;
  /** By name, what to tell of parameters that other calls read. */
  readonly elsewhere: ReadonlyMap<string, string>;
}

const BESIDE_DATA: ReadonlyMap<string, string> = new Map(
  [...COMMON_NAMES].map((name) => [name, `is not read beside data; its place is data.${name}`]),
);

/** Keys of a push that nobody reads, as far as it can be told what was meant by them. */
export function unreadKeys(body: JsonObject, { known, sections, elsewhere }: ReadKeys): readonly PushWarning[] {
  const unread = Object.keys(body).filter((name) => !known.has(name) && !Object.hasOwn(sections, name));
  if (unread.length === 0) return [];
  const misplaced = unread.flatMap((path): readonly PushWarning[] => {
    const message = elsewhere.get(path) ?? BESIDE_DATA.get(path);
    return message === undefined ? [] : [{ path, message }];
  });
  const told = new Set(misplaced.map(({ path }) => path));
  const others = unread.filter((name) => !told.has(name));
  return [...misplaced, ...misspelledKeys(others, [...known, ...Object.keys(sections)])];
}
