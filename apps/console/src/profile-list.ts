import { profileBucket } from '@pushfleet/domain';
import type { ProfileRef, Store } from '@pushfleet/store';

/** The profiles of an app, by channel and name. */
export async function profilesOf({ profiles }: Pick<Store, 'profiles'>, app: string): Promise<readonly ProfileRef[]> {
  const names = [...(await profiles.names(app))].sort();
  return names.flatMap((name) => {
    const of = profileBucket(name);
    return of ? [{ app, ...of }] : [];
  });
}
