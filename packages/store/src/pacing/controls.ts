import type { Keys } from '../keys';
import type { RedisClient } from '../redis';
import type { ProfileOfChannel } from './breakers';

/** What an operator has decided about a channel, or about one app or one profile on it. */
export interface Control {
  /** `paused`: nothing is sent and work waits; `draining`: work is booked without calling the vendor. */
  readonly state: 'paused' | 'draining';
  /** Absent: the whole channel. */
  readonly app?: string;
  /** Absent: every profile of the app. */
  readonly profile?: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

export type ControlScope = Pick<Control, 'app' | 'profile'>;

export interface ControlStore {
  /** Of one channel; a decision about a part of it stands before one about the whole. */
  list(channel: string): Promise<readonly Control[]>;
  /** In the place of what was decided for exactly this scope. */
  set(channel: string, control: Control): Promise<void>;
  /** False when nothing was decided for exactly this scope. */
  lift(channel: string, scope: ControlScope): Promise<boolean>;
}

const fieldOf = ({ app = '', profile = '' }: ControlScope): string => `${app}/${profile}`;

/** The decision that holds for a profile: the narrowest that speaks of it. */
export function controlFor(controls: readonly Control[], { app, profile }: ProfileOfChannel): Control | undefined {
  const holding = controls.filter(
    (control) =>
      (control.app === undefined || control.app === app) &&
      (control.profile === undefined || control.profile === profile),
  );
  return holding.sort((a, b) => narrowness(b) - narrowness(a))[0];
}

const narrowness = ({ app, profile }: Control): number => Number(app !== undefined) + Number(profile !== undefined);

export function openControls({ redis, keys }: { redis: RedisClient; keys: Keys }): ControlStore {
  return {
    async list(channel) {
      const texts = await redis.hvals(keys.controls(channel));
      return texts.map((text) => JSON.parse(text) as Control).sort((a, b) => (fieldOf(a) < fieldOf(b) ? -1 : 1));
    },
    async set(channel, control) {
      await redis.hset(keys.controls(channel), fieldOf(control), JSON.stringify(control));
    },
    lift: async (channel, scope) => (await redis.hdel(keys.controls(channel), fieldOf(scope))) === 1,
  };
}
