import { appSettingsSchema, DEFAULT_APP_SETTINGS, type AppSettings, type AppWithKeys } from '@pushfleet/domain';
import { generateKey } from '@pushfleet/store';
import { z } from 'zod';
import { Problem } from './http/problem';

const { name, edition, limits, masterOnly, ...switches } = appSettingsSchema.shape;

/**
 * Clients send a key as a header, in places followed by a comma. Those of hosted apps have 24 characters and more; what is
 * much shorter is for a trial, and the doctor tells of it.
 */
const keySchema = z.string().regex(/^[!-+\--~]{6,128}$/, 'must be 6 to 128 visible ASCII characters without commas');

const changeable = { ...switches, limits: limits.partial(), masterOnly: masterOnly.partial() };

export const newAppSchema = z
  .strictObject({
    ...z.object(changeable).partial().shape,
    name,
    edition,
    id: z
      .string()
      .regex(/^[A-Za-z0-9_-]{9,64}$/, 'must be 9 to 64 letters, digits, - or _')
      .optional(),
    key: keySchema.optional(),
    masterKey: keySchema.optional(),
  })
  .refine((app) => app.key === undefined || app.key !== app.masterKey, {
    path: ['masterKey'],
    message: 'must differ from key',
  });

export const appChangeSchema = z.strictObject({ name, edition, ...changeable }).partial();

type AppChange = z.output<typeof appChangeSchema>;

/**
 * Given credentials are kept as they are: builds in the field carry them. A generated id has no dash, because clients
 * derive their server from the suffixes -MdYXbMMI and -9Nh9j0Va.
 */
export function newApp({ id, key, masterKey, ...settings }: z.output<typeof newAppSchema>): AppWithKeys {
  const { name: appName, edition: appEdition } = settings;
  // A hosted app comes with clients that bind themselves by their channels.
  const defaults = { ...DEFAULT_APP_SETTINGS, chatByChannel: id !== undefined, name: appName, edition: appEdition };
  return {
    ...withChange(defaults, settings),
    id: id ?? generateKey(),
    key: key ?? generateKey(),
    masterKey: masterKey ?? generateKey(),
  };
}

/** An app, or its settings, after a change; throws a conflict when the settings do not go together. */
export function withChange<T extends AppSettings>(settings: T, change: AppChange): T {
  const { limits: changedLimits, masterOnly: changedColumns, ...rest } = definedOnly(change);
  const limitsNow = { ...settings.limits, ...definedOnly(changedLimits ?? {}) };
  const masterOnlyNow = { ...settings.masterOnly, ...definedOnly(changedColumns ?? {}) };
  const next = { ...settings, ...rest, limits: limitsNow, masterOnly: masterOnlyNow };
  if (!next.hybrid || next.edition === 'commercial') return next;
  if (settings.hybrid) throw new Problem('conflict', 'switch hybrid off first: it needs the commercial edition');
  throw new Problem('conflict', 'hybrid needs the commercial edition');
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

const definedOnly = <T extends object>(value: T): Defined<T> =>
  Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as Defined<T>;
