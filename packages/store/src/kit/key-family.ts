/** One kind of key of the store: whose it is, and how it goes when an app is deleted. */
export interface KeyFamily {
  readonly name: string;
  readonly owner: 'app' | 'push' | 'user' | 'fleet';
  /** What follows the namespace; the group `app` is the id of the app. */
  readonly pattern: RegExp;
  /**
   * `installations`, `pushes`: found shard by shard. `name`: found by the app's id in the key. `fields`: shared by apps, whose
   * fields begin with their ids and a `/` or a space. `texts`: the same, by entries that end with their ids.
   * `stays`: says nothing of an app, or goes by itself.
   */
  readonly purge: 'installations' | 'pushes' | 'name' | 'fields' | 'texts' | 'stays';
}

/** The id of the app in a pattern. */
export const APP = '(?<app>[^:{}/]+)';

/** Families by their names, of one owner, which go in one way. */
export const families = (
  owner: KeyFamily['owner'],
  purge: KeyFamily['purge'],
  patterns: Readonly<Record<string, string>>,
): readonly KeyFamily[] =>
  Object.entries(patterns).map(([name, text]) => ({ name, owner, purge, pattern: new RegExp(`^${text}$`, 's') }));
