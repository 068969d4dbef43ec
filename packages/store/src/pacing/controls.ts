import { isJsonObject, plainJsonIn } from '@pushfleet/domain';
import type { PacingKeys } from './keys';
import { replaceField } from '../kit/compare';
import type { RedisClient } from '../kit/redis';
import { profileKey, profileOfKey, type AppProfile } from './app-profile';

/** What an operator has decided about a channel, or about one app or one profile on it. */
export interface Control {
  /**
   * `paused`: nothing is sent and work waits; `draining`: pushes whose time came before `since` are sent, later ones wait;
   * `discarding`: work is booked without calling the vendor.
   */
  readonly state: 'paused' | 'draining' | 'discarding';
  /** Absent: the whole channel. */
  readonly app?: string;
  /** Absent: every profile of the app. */
  readonly profile?: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

export type ControlScope = Pick<Control, 'app' | 'profile'>;

export interface ControlStore {
  /** Decisions of one channel, narrow ones before wide ones. */
  list(channel: string): Promise<readonly Control[]>;
  /** Replaces the decision for exactly this scope. */
  set(channel: string, control: Control): Promise<void>;
  /** Pauses a draining scope; false when the decision changed meanwhile. */
  endDrain(channel: string, control: Control): Promise<boolean>;
  /** False when there was no decision for exactly this scope. */
  lift(channel: string, scope: ControlScope): Promise<boolean>;
}

const fieldOf = ({ app = '', profile = '' }: ControlScope): string => profileKey({ app, profile });

/** The decision for a profile: the narrowest one that covers it. */
export function controlFor(controls: readonly Control[], { app, profile }: AppProfile): Control | undefined {
  const holding = controls.filter(
    (control) =>
      (control.app === undefined || control.app === app) &&
      (control.profile === undefined || control.profile === profile),
  );
  return holding.sort((a, b) => narrowness(b) - narrowness(a))[0];
}

/** Whether a push goes on under a decision: one that is drained was there before. */
export const isServed = ({ state, since }: Control, { pushTime }: { readonly pushTime: number }): boolean =>
  state === 'draining' && pushTime <= since;

const narrowness = ({ app, profile }: Control): number => Number(app !== undefined) + Number(profile !== undefined);

/**
 * How states are written. A worker of version 0.1 discards at `draining`, and while one process after the other is replaced it
 * must neither discard what shall be sent nor send what shall be discarded.
 */
const WRITTEN = { paused: 'paused', draining: 'finishing', discarding: 'draining' } as const;
const READ = { paused: 'paused', finishing: 'draining', draining: 'discarding' } as const;

type WrittenControl = Omit<Control, 'state'> & { readonly state: keyof typeof READ };

const textOf = (control: Control): string => JSON.stringify({ ...control, state: WRITTEN[control.state] });

/** One that is damaged holds up what it is about, and nothing else, until it is lifted. */
function controlIn(field: string, text: string): Control {
  const written = plainJsonIn(text);
  if (isWritten(written)) return { ...written, state: READ[written.state] };
  const { app, profile } = profileOfKey(field);
  return { state: 'paused', ...(app === '' ? {} : { app }), ...(profile === '' ? {} : { profile }), since: 0 };
}

const isWritten = (value: unknown): value is WrittenControl =>
  isJsonObject(value) && Object.hasOwn(READ, String(value['state'])) && typeof value['since'] === 'number';

export function openControls({ redis, keys }: { redis: RedisClient; keys: PacingKeys }): ControlStore {
  return {
    async list(channel) {
      const fields = await redis.hgetall(keys.controls(channel));
      const controls = Object.entries(fields).map(([field, text]) => controlIn(field, text));
      return controls.sort((a, b) => (fieldOf(a) < fieldOf(b) ? -1 : 1));
    },
    async set(channel, control) {
      await redis.hset(keys.controls(channel), fieldOf(control), textOf(control));
    },
    async endDrain(channel, control) {
      const hash = keys.controls(channel);
      const paused = textOf({ ...control, state: 'paused' });
      return replaceField(redis, { hash, field: fieldOf(control), from: textOf(control), to: paused });
    },
    lift: async (channel, scope) => (await redis.hdel(keys.controls(channel), fieldOf(scope))) === 1,
  };
}
