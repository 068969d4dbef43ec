import { z } from 'zod';

/** An app, as the admin API shows it. */
export const appSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  edition: z.string(),
  hybrid: z.boolean(),
  clientPush: z.boolean(),
  installationQueries: z.boolean(),
  pushQueries: z.boolean(),
  chatByChannel: z.boolean().default(false),
  offlinePush: z.looseObject({}).nullable().default(null),
  overlong: z.string(),
  intentHost: z.string(),
  masterOnly: z.looseObject({ columns: z.array(z.string()), channelPrefixes: z.array(z.string()) }),
  limits: z.looseObject({
    callsPerMinute: z.number(),
    masterCallsPerMinute: z.number(),
    savesPerSecond: z.number(),
    queriesPerSecond: z.number(),
    deliveriesPerDay: z.number(),
    installations: z.number().nullable().default(null),
    installationsBytes: z.number().nullable().default(null),
    pushLifetimeMs: z.number(),
  }),
});
export const KEYS = ['key', 'masterKey'] as const;

export const appWithKeysSchema = appSchema.extend({
  key: z.string(),
  masterKey: z.string(),
  replacedKeys: z.array(z.looseObject({ which: z.enum(KEYS), until: z.string() })).default([]),
});

/** Rows for the keys that are taken beside those that took their place. */
export const replacedOf = ({ replacedKeys }: Pick<z.output<typeof appWithKeysSchema>, 'replacedKeys'>) =>
  replacedKeys.map(({ which, until }) => [`old ${which}`, `taken until ${until}`] as const);
