import type { PacingKeys } from './keys';
import type { RedisClient } from '../kit/redis';
import type { ProfileOfChannel } from './breakers';
import type { ControlScope } from './controls';
import { openSharedFields, type FieldChange } from './shared-fields';

/** What is left of a push for one profile of a channel. */
export interface PushOfProfile extends ProfileOfChannel {
  readonly pushId: string;
}

/** Why what is left waits: the vendor answers with a code that nobody knows. Times are milliseconds since the epoch. */
export interface PushHold {
  readonly since: number;
  /** From then on the push goes on, whatever the vendor says. */
  readonly until: number;
  /** One device may try again from then on. */
  readonly probeAt: number;
  /** Tries so far. */
  readonly probes: number;
  /** Names the call that tries. */
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
  /** Lets the pushes of this scope go on. Resolves with how many did wait. */
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
