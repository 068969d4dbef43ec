import type { PacingKeys } from './keys';
import type { RedisClient } from '../kit/redis';
import type { AppProfile } from './app-profile';
import type { ControlScope } from './controls';
import { openSharedFields, type FieldChange } from './shared-fields';

/** The rest of a push for one profile of a channel. */
export interface PushOfProfile extends AppProfile {
  readonly pushId: string;
}

/** The rest of a push waits because the vendor answers with an unknown code. Times are milliseconds since the epoch. */
export interface PushHold {
  readonly since: number;
  /** The push goes on at this time, whatever the vendor answers. */
  readonly until: number;
  /** From this time on, one device may be tried. */
  readonly probeAt: number;
  /** Tries so far. */
  readonly probes: number;
  /** The call that tries. */
  readonly prober?: string;
  readonly vendorCode?: string;
}

export interface HeldPush extends PushOfProfile {
  readonly hold: PushHold;
}

export interface PushHoldStore {
  list(channel: string): Promise<readonly HeldPush[]>;
  read(channel: string, of: PushOfProfile): Promise<PushHold | undefined>;
  /** Writes the next state, or removes it, unless the present one is not `from`. */
  replace(channel: string, of: PushOfProfile, change: FieldChange<PushHold>): Promise<boolean>;
  /** Lets the pushes of this scope go on. Resolves with the number of pushes that waited. */
  lift(channel: string, scope: ControlScope): Promise<number>;
}

const fieldOf = ({ app, pushId, profile }: PushOfProfile): string => [app, pushId, profile].join('/');

function ofField(name: string): PushOfProfile {
  const [app = '', pushId = '', ...profile] = name.split('/');
  return { app, pushId, profile: profile.join('/') };
}

export function openPushHolds({ redis, keys }: { redis: RedisClient; keys: PacingKeys }): PushHoldStore {
  const fields = openSharedFields<PushHold>(redis, (channel) => keys.pushHolds(channel));
  const list = async (channel: string): Promise<readonly HeldPush[]> =>
    (await fields.list(channel)).map(([name, hold]) => ({ ...ofField(name), hold }));
  return {
    list,
    read: (channel, of) => fields.read(channel, fieldOf(of)),
    replace: (channel, of, change) => fields.replace(channel, fieldOf(of), change),
    async lift(channel, { app, profile }) {
      const isMeant = (of: PushOfProfile): boolean =>
        (app === undefined || of.app === app) && (profile === undefined || of.profile === profile);
      const meant = (await list(channel)).filter(isMeant);
      return fields.remove(channel, meant.map(fieldOf));
    },
  };
}
