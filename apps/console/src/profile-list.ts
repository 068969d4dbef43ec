import type { ProfileRef, Store } from '@pushfleet/store';

/** The profiles of an app, by channel and name. */
export async function profilesOf({ profiles }: Pick<Store, 'profiles'>, app: string): Promise<readonly ProfileRef[]> {
  const names = [...(await profiles.names(app))].sort();
  return names.map((name) => {
    const slash = name.indexOf('/');
    return { app, channel: name.slice(0, slash), profile: name.slice(slash + 1) };
  });
}
