import { z } from 'zod';

export const appSettingsSchema = z.strictObject({
  name: z.string().min(1).max(100),
  edition: z.enum(['developer', 'commercial']),
  /** Android pushes go to the vendor of each device; off: to the own channel. */
  hybrid: z.boolean(),
  /** Pushes may be sent with the app key. */
  clientPush: z.boolean(),
  /** Text over a vendor's limit is cut, or the device is discarded as `message-rejected`. */
  overlong: z.enum(['truncate', 'reject']),
  /** Host of the intent that a tap on an hms or honor notification opens. */
  intentHost: z.string().regex(/^[A-Za-z0-9.-]{1,253}$/, 'must be a host name'),
  limits: z.strictObject({
    /** Calls of the 1.1 API per minute; 0 = no limit. */
    callsPerMinute: z.int().min(0),
    /** Devices per day; 0 = no limit. */
    deliveriesPerDay: z.int().min(0),
    /** Life of a push that names no expiry, in ms. */
    pushLifetimeMs: z
      .int()
      .min(60_000)
      .max(30 * 86_400_000),
  }),
});

export type AppSettings = z.infer<typeof appSettingsSchema>;

export interface App extends AppSettings {
  readonly id: string;
}

export interface AppWithKeys extends App {
  readonly key: string;
  readonly masterKey: string;
}

export const DAY_MS = 86_400_000;

export const DEFAULT_APP_SETTINGS: Omit<AppSettings, 'name' | 'edition'> = {
  hybrid: false,
  clientPush: true,
  overlong: 'truncate',
  intentHost: 'cn.leancloud.push',
  limits: { callsPerMinute: 600, deliveriesPerDay: 0, pushLifetimeMs: 7 * DAY_MS },
};
