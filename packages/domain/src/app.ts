import { z } from 'zod';
import { columnNameSchema } from './column-name';
import { LIMITS } from './limits/table';
import { staticPushSchema } from './messaging';
import { hostNameSchema } from './profile';

/** They say which device it is and how it is reached: a device that may not write them is none. */
const OF_THE_DEVICE = new Set(['objectId', 'createdAt', 'updatedAt', 'installationId', 'deviceType']);

const masterOnlySchema = z.strictObject({
  columns: z
    .array(
      columnNameSchema('must be names of columns').refine(
        (name) => !OF_THE_DEVICE.has(name),
        'objectId, installationId, deviceType and dates belong to the device',
      ),
    )
    .max(100),
  /** Channels that begin with one of these. */
  channelPrefixes: z.array(z.string().min(1).max(100)).max(100),
});

export type MasterOnly = z.infer<typeof masterOnlySchema>;

export const appSettingsSchema = z.strictObject({
  name: z.string().min(1).max(100),
  edition: z.enum(['developer', 'commercial']),
  /** Android pushes go to the vendor of each device; off: to the own channel. */
  hybrid: z.boolean(),
  /** Pushes may be sent with the app key. */
  clientPush: z.boolean(),
  /** Installations may be found, counted and listed with the app key, which everybody has who has the app. */
  installationQueries: z.boolean(),
  /** What was pushed, to whom and with what effect may be read with the app key. */
  pushQueries: z.boolean(),
  /** A client id that a device saved among its channels binds the device to the client, beside what the chat server binds. */
  chatByChannel: z.boolean(),
  offlinePush: staticPushSchema,
  /** Text over a vendor's limit is cut, or the device is discarded as `message-rejected`. */
  overlong: z.enum(['truncate', 'reject']),
  /** Host of the intent that a tap on an hms or honor notification opens. */
  intentHost: hostNameSchema,
  /** What a save with the app key leaves as it is. */
  masterOnly: masterOnlySchema,
  limits: z.strictObject({
    /** Pushes by app key per minute; 0 = no limit. */
    callsPerMinute: z.int().min(0),
    /** Pushes by master key per minute, counted apart; 0 = no limit. */
    masterCallsPerMinute: z.int().min(0),
    /** Saves by app key per second from one address, ten seconds' worth at once; 0 = no limit. */
    savesPerSecond: z.int().min(0),
    /** The same for reads and queries. */
    queriesPerSecond: z.int().min(0),
    /** Devices per day; 0 = no limit. */
    deliveriesPerDay: z.int().min(0),
    /** Installations that the app may have; 0 = no ceiling, null = as the fleet is set up. */
    installations: z.int().min(0).nullable(),
    /** Bytes of Redis that they may take, about; 0 = no ceiling, null = as the fleet is set up. */
    installationsBytes: z.int().min(0).nullable(),
    /** Life of a push that names no expiry, in ms. */
    pushLifetimeMs: z.int().min(60_000).max(LIMITS.longestPushLifeMs.value),
  }),
});

/** Settings that open to the app key what else needs the master key. */
export type AppSwitch = 'clientPush' | 'installationQueries' | 'pushQueries';

export type AppSettings = z.infer<typeof appSettingsSchema>;

export interface App extends AppSettings {
  readonly id: string;
}

/** Which of the keys of an app. */
export type KeyOfApp = 'key' | 'masterKey';

/** A key that is taken beside the one that took its place, until its time is over. */
export interface ReplacedKey {
  readonly which: KeyOfApp;
  readonly value: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

export interface AppWithKeys extends App, Readonly<Record<KeyOfApp, string>> {
  /** At most one for each key; absent where no key was replaced lately. */
  readonly replacedKeys?: readonly ReplacedKey[];
}

/** The texts that prove the right of a key at the moment. */
export const keysOf = (
  app: Pick<AppWithKeys, KeyOfApp | 'replacedKeys'>,
  which: KeyOfApp,
  now: number,
): readonly string[] => [
  app[which],
  ...(app.replacedKeys ?? []).filter((old) => old.which === which && old.until > now).map(({ value }) => value),
];

interface NewKey {
  readonly which: KeyOfApp;
  readonly value: string;
  /** Until when the key before is taken; absent: it ends now. */
  readonly keepOldUntil?: number | undefined;
}

/** The app with another key. What was replaced before that one ends. */
export function withNewKey(app: AppWithKeys, { which, value, keepOldUntil: until }: NewKey): AppWithKeys {
  const kept = until === undefined ? [] : [{ which, value: app[which], until }];
  return { ...withReplaced(app, [...othersThan(which, app), ...kept]), [which]: value };
}

/** The app without the key that was replaced; undefined when none is taken any more. */
export function withoutReplaced(app: AppWithKeys, which: KeyOfApp, now: number): AppWithKeys | undefined {
  if (keysOf(app, which, now).length === 1) return undefined;
  return withReplaced(app, othersThan(which, app));
}

const othersThan = (which: KeyOfApp, { replacedKeys = [] }: AppWithKeys): readonly ReplacedKey[] =>
  replacedKeys.filter((old) => old.which !== which);

const withReplaced = ({ replacedKeys: _, ...app }: AppWithKeys, replacedKeys: readonly ReplacedKey[]): AppWithKeys =>
  replacedKeys.length === 0 ? app : { ...app, replacedKeys };

export const DEFAULT_APP_SETTINGS: Omit<AppSettings, 'name' | 'edition'> = {
  hybrid: false,
  clientPush: true,
  installationQueries: false,
  pushQueries: false,
  chatByChannel: false,
  offlinePush: null,
  overlong: 'truncate',
  intentHost: 'cn.leancloud.push',
  masterOnly: { columns: [], channelPrefixes: [] },
  limits: {
    callsPerMinute: LIMITS.callsPerMinute.value,
    masterCallsPerMinute: LIMITS.masterCallsPerMinute.value,
    savesPerSecond: LIMITS.savesPerSecond.value,
    queriesPerSecond: LIMITS.queriesPerSecond.value,
    deliveriesPerDay: LIMITS.deliveriesPerDay.value,
    installations: null,
    installationsBytes: null,
    pushLifetimeMs: LIMITS.pushLifetimeMs.value,
  },
};
