import { bucketOfProfile, type JsonObject } from '@pushfleet/domain';
import type { AccountParts } from './account-parts';
import { isDone, luaScript, nothing } from '../kit/lua/script';
import { rememberBriefly } from '../kit/remember-briefly';
import { noteFields, openProfileNotes, type ProfileNotes } from './profile-notes';
import type { ProfileRef } from './profile-ref';
import { profileContext } from './secret-contexts';

export interface StoredProfile {
  readonly value: JsonObject;
  /** Unguessable part of the callback address that this profile gives to its vendor. */
  readonly receiptKey: string;
}

export interface ProfileStore extends ProfileNotes {
  /** The last test is forgotten: it was of other credentials. */
  put(ref: ProfileRef, profile: StoredProfile): Promise<void>;
  get(ref: ProfileRef): Promise<StoredProfile | undefined>;
  remove(ref: ProfileRef): Promise<boolean>;
  /** `<channel>/<profile>` of every profile of an app, at most a second old. */
  names(app: string): Promise<ReadonlySet<string>>;
}

/** What a profile needs of the installations of its app. */
export interface ProfileBuckets {
  /** Its bucket is one from now on; devices of another bucket that belong there move. */
  open(of: { readonly app: string; readonly bucket: string; readonly now: number }): Promise<void>;
  /** The bucket stays without the profile, and keeps its name. */
  keep(app: string, bucket: string): Promise<void>;
}

interface ProfileParts extends AccountParts {
  readonly buckets: ProfileBuckets;
}

const putProfile = luaScript('accounts/put-profile', {
  params: { profiles: 'key', notes: 'key', name: 'text', sealed: 'text', test: 'text' },
  answer: nothing,
});

const removeProfile = luaScript('accounts/remove-profile', {
  params: { profiles: 'key', notes: 'key', name: 'text', test: 'text', receipt: 'text' },
  answer: isDone,
});

const field = ({ channel, profile }: ProfileRef): string => bucketOfProfile(channel, profile);

export function openProfiles({ redis, keys, secrets, now, buckets, onSettings }: ProfileParts): ProfileStore {
  const names = rememberBriefly(
    async (app): Promise<ReadonlySet<string>> => new Set(await redis.hkeys(keys.profiles(app))),
    now,
  );
  onSettings(() => names.forgetAll());
  const open = async (ref: ProfileRef, sealed: string): Promise<StoredProfile> =>
    JSON.parse(await secrets.open(sealed, profileContext(ref.app, field(ref)))) as StoredProfile;
  const placeOf = (ref: ProfileRef) => ({
    profiles: keys.profiles(ref.app),
    notes: keys.profileNotes(ref.app),
    name: field(ref),
    ...noteFields(ref),
  });
  return {
    ...openProfileNotes({ redis, keys, now, valueOf: async (...stored) => (await open(...stored)).value }),
    async put(ref, profile) {
      const sealed = await secrets.seal(JSON.stringify(profile), profileContext(ref.app, field(ref)));
      const bucket = { app: ref.app, bucket: field(ref), now: now() };
      // Opened before the profile is written, so that a crash leaves no device behind, and after it, so that devices may move.
      await buckets.open(bucket);
      await putProfile(redis, { ...placeOf(ref), sealed });
      await buckets.open(bucket);
      names.forget(ref.app);
    },
    async get(ref) {
      const sealed = await redis.hget(keys.profiles(ref.app), field(ref));
      return sealed === null ? undefined : open(ref, sealed);
    },
    async remove(ref) {
      names.forget(ref.app);
      await buckets.keep(ref.app, field(ref));
      return removeProfile(redis, placeOf(ref));
    },
    names: (app) => names.get(app),
  };
}
