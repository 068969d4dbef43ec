/** A profile of an app; which channel it is of, the place says where it stands. */
export interface AppProfile {
  readonly app: string;
  readonly profile: string;
}

/** The name of a profile among those of its channel. */
export const profileKey = ({ app, profile }: AppProfile): string => `${app}/${profile}`;

/** The profile that has this name. */
export function profileOfKey(key: string): AppProfile {
  const slash = key.indexOf('/');
  return { app: key.slice(0, slash), profile: key.slice(slash + 1) };
}
