import type { JsonObject } from '@pushfleet/domain';
import { openProfileBucket } from './installations/bucket-moves';
import type { Keys } from './keys';
import type { RedisClient } from './redis';
import { rememberBriefly } from './remember-briefly';
import { profileContext } from './sealing/sealed-places';
import type { SecretBox } from './sealing/secret-box';

/** A named set of credentials for one channel of one app. */
export interface ProfileRef {
  readonly app: string;
  readonly channel: string;
  readonly profile: string;
}

export interface StoredProfile {
  readonly value: JsonObject;
  /** Unguessable part of the callback address that this profile gives to its vendor. */
  readonly receiptKey: string;
}

export interface ProfileStore {
  put(ref: ProfileRef, profile: StoredProfile): Promise<void>;
  get(ref: ProfileRef): Promise<StoredProfile | undefined>;
  remove(ref: ProfileRef): Promise<boolean>;
  /** `<channel>/<profile>` of every profile of an app, at most a second old. */
  names(app: string): Promise<ReadonlySet<string>>;
}

const field = ({ channel, profile }: ProfileRef): string => `${channel}/${profile}`;

export function openProfiles({
  redis,
  keys,
  secrets,
  now,
}: {
  redis: RedisClient;
  keys: Keys;
  secrets: SecretBox;
  now: () => number;
}): ProfileStore {
  const names = rememberBriefly(
    async (app): Promise<ReadonlySet<string>> => new Set(await redis.hkeys(keys.profiles(app))),
    now,
  );
  return {
    async put(ref, profile) {
      const sealed = await secrets.seal(JSON.stringify(profile), profileContext(ref.app, field(ref)));
      const bucket = { app: ref.app, bucket: field(ref), now: now() };
      // Before it, because a crash must not leave devices behind, and after it, because they may go at once.
      await openProfileBucket({ redis, keys }, bucket);
      await redis.hset(keys.profiles(ref.app), field(ref), sealed);
      await openProfileBucket({ redis, keys }, bucket);
      names.forget(ref.app);
    },
    async get(ref) {
      const sealed = await redis.hget(keys.profiles(ref.app), field(ref));
      if (sealed === null) return undefined;
      return JSON.parse(await secrets.open(sealed, profileContext(ref.app, field(ref)))) as StoredProfile;
    },
    async remove(ref) {
      names.forget(ref.app);
      // Its bucket stays, and keeps its name.
      await redis.sadd(keys.profileBuckets(ref.app), field(ref));
      return (await redis.hdel(keys.profiles(ref.app), field(ref))) === 1;
    },
    names: (app) => names.get(app),
  };
}
