import { randomBytes } from 'node:crypto';
import type { AccountParts } from './account-parts';
import { appSettingsSchema, DEFAULT_APP_SETTINGS, plainJsonIn, type App, type AppWithKeys } from '@pushfleet/domain';
import { z } from 'zod';
import { replaceField } from '../kit/compare';
import { beginPurge, createUnlessPurged } from './purge-list';
import { rememberBriefly } from '../kit/remember-briefly';
import { appKeyContext, replacedKeyContext } from './secret-contexts';
import { damagedRecord } from '../kit/damaged-record';
import type { SecretBox } from '../kit/sealed-text';

export interface AppStore {
  /** False when an app with this id exists, or its data is still being deleted. */
  create(app: AppWithKeys): Promise<boolean>;
  get(id: string): Promise<AppWithKeys | undefined>;
  /** The same, at most a second old: for the request path. */
  getCached(id: string): Promise<AppWithKeys | undefined>;
  /** What a process without `SECRET_KEY` may know of an app, at most a second old. */
  settings(id: string): Promise<App | undefined>;
  /** Those whose records can be read. */
  list(): Promise<readonly App[]>;
  /** Ids of all apps, those that cannot be read among them: what work that comes every second should ask for. */
  ids(): Promise<readonly string[]>;
  /** Ids of apps whose records are not what a process writes: nobody serves them. */
  unreadable(): Promise<readonly string[]>;
  /** With those that cannot be read. */
  count(): Promise<number>;
  /**
   * Resolves with the app after the change, undefined when there is no such app. When another process changed the app
   * meanwhile, `change` is called again with what is stored now: no setting is undone and no rotated key comes back.
   */
  update(id: string, change: (app: AppWithKeys) => AppWithKeys): Promise<AppWithKeys | undefined>;
  /** The app is gone at once, and its data is deleted in the background. False when there was no such app. */
  remove(id: string): Promise<boolean>;
}

/** Settings that a later version has stored are left out, so that one may go back to this one. */
const { limits, ...settingsShape } = appSettingsSchema.shape;
const storedSettingsSchema = z.object({ ...settingsShape, limits: z.object(limits.shape) });

/** Settings in the clear, keys sealed. */
const storedAppSchema = z.object({
  settings: z.preprocess(withDefaults, storedSettingsSchema),
  key: z.string(),
  masterKey: z.string(),
  replacedKeys: z
    .array(z.object({ which: z.enum(['key', 'masterKey']), sealed: z.string(), until: z.number() }))
    .optional(),
});
type StoredApp = z.infer<typeof storedAppSchema>;

const objectSchema = z.record(z.string(), z.unknown()).catch({});

/** An app that was stored before a setting existed gets the default of that setting. */
function withDefaults(stored: unknown): unknown {
  const settings = objectSchema.parse(stored);
  const limits = { ...DEFAULT_APP_SETTINGS.limits, ...objectSchema.parse(settings['limits']) };
  return { ...DEFAULT_APP_SETTINGS, ...settings, limits };
}

export const generateKey = (): string => randomBytes(18).toString('base64url').replace(/[-_]/g, 'x');

export function openApps({ redis, keys, secrets, now, onSettings }: AccountParts): AppStore {
  const { encode, decode } = codec(secrets, now);
  async function get(id: string): Promise<AppWithKeys | undefined> {
    const text = await redis.hget(keys.apps(), id);
    return text === null ? undefined : decode(id, text);
  }
  async function readSettings(id: string): Promise<App | undefined> {
    const text = await redis.hget(keys.apps(), id);
    return text === null ? undefined : { id, ...parse(id, text).settings };
  }
  const known = rememberBriefly(get, now);
  const settings = rememberBriefly(readSettings, now);
  onSettings(() => [known, settings].forEach((cache) => cache.forgetAll()));
  const forget = (id: string): void => [known, settings].forEach((cache) => cache.forget(id));

  return {
    create: async (app) => createUnlessPurged({ redis, keys }, app.id, await encode(app)),
    get,
    getCached: (id) => known.get(id),
    settings: (id) => settings.get(id),
    async list() {
      const all = await redis.hgetall(keys.apps());
      return Object.entries(all).flatMap(([id, text]) => {
        const stored = readable(text);
        return stored ? [{ id, ...stored.settings }] : [];
      });
    },
    ids: () => redis.hkeys(keys.apps()),
    async unreadable() {
      const all = await redis.hgetall(keys.apps());
      return Object.keys(all).filter((id) => !readable(all[id] ?? ''));
    },
    count: () => redis.hlen(keys.apps()),
    async update(id, change) {
      for (;;) {
        const text = await redis.hget(keys.apps(), id);
        if (text === null) return undefined;
        const app = change(await decode(id, text));
        const written = { hash: keys.apps(), field: id, from: text, to: await encode(app) };
        if (!(await replaceField(redis, written))) continue;
        forget(id);
        return app;
      }
    },
    async remove(id) {
      forget(id);
      return beginPurge({ redis, keys }, id, now());
    },
  };
}

const readable = (text: string): StoredApp | undefined => storedAppSchema.safeParse(plainJsonIn(text)).data;

/** Throws `UnreadableSecret`: whoever needs the app waits until somebody puts its record right. */
function parse(id: string, text: string): StoredApp {
  const stored = readable(text);
  if (stored) return stored;
  throw damagedRecord(`the app ${JSON.stringify(id)}`);
}

function codec(
  secrets: SecretBox,
  now: () => number,
): {
  encode(app: AppWithKeys): Promise<string>;
  decode(id: string, text: string): Promise<AppWithKeys>;
} {
  const isTaken = <T extends { readonly until: number }>(replaced: readonly T[]): readonly T[] =>
    replaced.filter(({ until }) => until > now());
  return {
    async decode(id, text) {
      const stored = parse(id, text);
      const [key, masterKey] = await Promise.all([
        secrets.open(stored.key, appKeyContext(id, 'key')),
        secrets.open(stored.masterKey, appKeyContext(id, 'masterKey')),
      ]);
      const replacedKeys = await Promise.all(
        isTaken(stored.replacedKeys ?? []).map(async ({ which, sealed, until }) => ({
          which,
          value: await secrets.open(sealed, replacedKeyContext(id, which)),
          until,
        })),
      );
      return { id, ...stored.settings, key, masterKey, ...(replacedKeys.length > 0 ? { replacedKeys } : {}) };
    },
    async encode({ id, key, masterKey, replacedKeys: replaced = [], ...settings }) {
      const sealed = {
        key: await secrets.seal(key, appKeyContext(id, 'key')),
        masterKey: await secrets.seal(masterKey, appKeyContext(id, 'masterKey')),
      };
      const replacedKeys = await Promise.all(
        isTaken(replaced).map(async ({ which, value, until }) => ({
          which,
          sealed: await secrets.seal(value, replacedKeyContext(id, which)),
          until,
        })),
      );
      return JSON.stringify({
        settings: appSettingsSchema.parse(settings),
        ...sealed,
        ...(replacedKeys.length > 0 ? { replacedKeys } : {}),
      } satisfies StoredApp);
    },
  };
}
