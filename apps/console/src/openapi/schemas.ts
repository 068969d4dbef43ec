import { appSettingsSchema, FROM_SERVICES, PUSH_STATUSES, waitSchema } from '@pushfleet/domain';
import { jsonSchemaOf, WORDS, type JsonSchema } from '@pushfleet/http-edge';
import { clientSchema, macTokenSchema, userSchema } from '@pushfleet/store';
import { z } from 'zod';
import { appChangeSchema, newAppSchema } from '../app-input';
import { installationImportSchema } from '../import-installations';
import { importSchema } from '../import-users';
import { rotationSchema } from '../routes/app-keys';
import { discardSchema, scopeSchema } from '../routes/channels';
import { clientBodySchema, freshTokenSchema, userBodySchema } from '../user-input';
import { audienceSchema, backlogSchema, statsSchema, throughputSchema } from './audience-schemas';
import { channelSchema, workSchema } from './channel-schemas';
import { fleetSchemas } from './fleet-schemas';
import { peopleSchemas } from './people-schemas';
import { sendingSchemas } from './sending-schemas';
import { storySchema } from './story-schemas';

const { instant, count } = WORDS;

const errorSchema = WORDS.error.extend({
  details: z
    .array(z.strictObject({ path: z.string().describe('Of the field, with dots.'), message: z.string() }))
    .optional()
    .describe('Every field that is wrong.'),
});

const appSchema = z.looseObject({ id: z.string(), ...appSettingsSchema.shape }).describe('Its settings.');

const appWithKeysSchema = appSchema.extend({
  key: z.string(),
  masterKey: z.string(),
  replacedKeys: z
    .array(z.looseObject({ which: z.enum(['key', 'masterKey']), until: instant }))
    .optional()
    .describe('Keys that are taken beside those that took their place, and until when.'),
});

const ceilingSchema = z.strictObject({ installations: count.nullable(), bytes: count.nullable() });

const roomSchema = z
  .strictObject({
    installations: count,
    bytes: count,
    messagingBytes: count.describe('Of these, those of mutes and bindings of chat clients.'),
    unconfirmed: count,
    ceiling: ceilingSchema,
    evicted: count,
    lastEvictedAt: instant.optional(),
    deliveriesToday: count
      .optional()
      .describe('Devices reached since midnight UTC; with `limits.deliveriesPerDay` only.'),
  })
  .describe('Unconfirmed ones were made with the app key and seen by no gateway, vendor or server; they make room.');

const reachSchema = z.strictObject({
  hybrid: z.boolean(),
  reachable: count,
  results: z.array(
    z.looseObject({
      channel: z.string(),
      profile: z.string().optional().describe('Absent where no profile decides; `*`: any that was never saved.'),
      reason: z.string().optional().describe('Why they are not reached; absent when they are.'),
      count,
    }),
  ),
});

const purgeSchema = z
  .looseObject({
    startedAt: instant,
    updatedAt: instant,
    pass: count,
    step: z.string(),
    percent: count,
    removed: z.looseObject({ pushes: count, installations: count, keys: count }),
  })
  .describe('How far the removal of what a deleted app had is.');

const credentialsSchema = z.looseObject({
  ok: z.boolean(),
  vendorCode: z.string().nullable(),
  vendorMessage: z.string().nullable(),
  fault: z.string().optional().describe('Why there was no usable answer of the vendor.'),
});

const profileSchema = z
  .looseObject({
    channel: z.string(),
    profile: z.string(),
    receiptUrl: z.string().optional().describe('What the vendor’s console is given.'),
    lastTest: credentialsSchema
      .extend({ at: instant })
      .optional()
      .describe('What the vendor said when these credentials were last tested; absent while they were not.'),
    receiptSeenAt: instant.optional().describe('When a receipt was last taken in, to a minute; absent: never.'),
  })
  .describe(
    'The fields of its channel beside its names; secrets are `***`. `lastTest` and `receiptSeenAt` may be sent back and change nothing. docs/vendors.md lists them by channel.',
  );

/** In the languages of the console. */
const wordsSchema = z.looseObject({ en: z.string(), 'zh-CN': z.string() });

const profileFieldsSchema = z.looseObject({
  channel: z.string(),
  vendor: z.string().describe('As devices name it.'),
  names: wordsSchema.describe('What people call it.'),
  fields: z.array(
    z.looseObject({
      name: z.string(),
      isRequired: z.boolean(),
      isSecret: z.boolean(),
      kind: z.enum(['text', 'boolean', 'json']),
      choices: z.array(z.string()).optional(),
      descriptions: wordsSchema.describe('What it is for.'),
    }),
  ),
});

const recordSchema = z
  .looseObject({
    objectId: z.string(),
    notificationId: z.string(),
    'from-service': z.enum(FROM_SERVICES),
    status: z.enum(PUSH_STATUSES),
    prod: z.enum(['dev', 'prod']),
    msg: z.looseObject({}).describe('The content as it was sent.'),
    where: z.looseObject({}),
    named: z.literal(true).optional().describe('It named its devices, which are not kept: `where` does not tell whom.'),
    'push-time': instant,
    expiresAt: instant,
    createdAt: instant,
    updatedAt: instant,
    devices: count,
    successes: count,
    invalidTokens: count,
    lcSuccesses: count,
    cancelled: z.literal(true).optional().describe('Its sender cancelled it.'),
    cancelledAt: instant.optional(),
    notSent: count.optional().describe('Devices that were not sent to because it was cancelled, so far.'),
    estimatedDoneAt: instant.optional().describe('While a budget or its own pace makes devices wait.'),
    waiting: z.array(waitSchema).optional().describe('What is not being sent at the moment, and why.'),
    channels: z.record(z.string(), z.looseObject({})).describe('The books, by channel.'),
    errors: z.array(z.looseObject({ channel: z.string(), reason: z.string(), count, action: z.string() })),
    installation: z.looseObject({ objectId: z.string() }).optional().describe('What became of the one asked about.'),
  })
  .describe('As the push API tells it to the master key.');

const reasonsSchema = z.looseObject({
  results: z.array(
    z.looseObject({
      reason: z.string(),
      kind: z.enum(['discarded', 'failed', 'waiting']).describe('The first two end a device.'),
      means: z.string(),
      remedy: z.string(),
      action: z.string().optional().describe('Of a device that ended.'),
      retires: z.boolean().optional().describe('Whether the device leaves the audience until it saves again.'),
    }),
  ),
  actions: z.record(z.string(), z.string()).describe('What each `action` asks for.'),
});

const indexSchema = z.looseObject({
  column: z.string(),
  status: z.enum(['building', 'ready', 'removing']).describe('Pushes use it while it is ready, and walk otherwise.'),
  declaredAt: instant,
  progress: z
    .looseObject({ done: count, of: count })
    .optional()
    .describe('Of the parts of the app, while it is made, checked or removed.'),
  checkedAt: instant.optional().describe('It was whole then; it is checked once a day.'),
});

const given = { openids: z.record(z.string(), z.string()), unionids: z.record(z.string(), z.string()) };

const tokenSchema = z
  .looseObject({
    kid: z.string(),
    access_token: z.string(),
    token_type: z.literal('mac'),
    mac_key: z.string(),
    mac_algorithm: z.enum(['hmac-sha-1', 'hmac-sha-256']),
    scope: z.string(),
    expire_in: z.string().optional(),
  })
  .describe('Ends with the authorization or a security change, not by time.');

const listedTokenSchema = tokenSchema
  .pick({ mac_algorithm: true, scope: true, expire_in: true })
  .extend({ id: z.string(), client_id: z.string() });

const installationSchema = z.looseObject({ objectId: z.string(), createdAt: instant, updatedAt: instant });

const inspectedSchema = z.looseObject({
  installation: installationSchema,
  bucket: z
    .unknown()
    .describe(
      'Where it is counted: `channel/profile`, `own`, or why no push goes out to it (`ios`, `unknown`, `unregistered`, `retired:channel`); empty when it is no target. Its story tells whether a push reaches it.',
    ),
  isRetired: z.boolean(),
  registrationTakenFrom: z.looseObject({}).optional(),
  registrationLostTo: z.looseObject({}).optional(),
});

const importedSchema = z.looseObject({
  created: count,
  updated: count,
  unchanged: count,
  superseded: count,
  bad: z.array(z.looseObject({ index: count, objectId: z.string().optional(), error: z.string() })),
  reach: z
    .array(z.looseObject({ vendor: z.string(), reason: z.string().optional(), profile: z.string().optional(), count }))
    .describe(
      'Whom a push would reach, by vendor, and why it would not reach the others: of the rows of this call, each installation once.',
    ),
  staleEndAt: instant
    .optional()
    .describe('From then on those that are stale are removed, unless their devices save again.'),
});

/** Everything that more than one place of the reference names, and what is long. */
export const openApiSchemas = (): Readonly<Record<string, JsonSchema>> => ({
  Error: jsonSchemaOf(errorSchema),
  NewApp: jsonSchemaOf(newAppSchema),
  AppChange: jsonSchemaOf(appChangeSchema),
  KeyRotation: jsonSchemaOf(rotationSchema),
  App: jsonSchemaOf(appSchema),
  AppWithKeys: jsonSchemaOf(appWithKeysSchema),
  Purge: jsonSchemaOf(purgeSchema),
  Room: jsonSchemaOf(roomSchema),
  Reach: jsonSchemaOf(reachSchema),
  Audience: jsonSchemaOf(audienceSchema),
  Backlog: jsonSchemaOf(backlogSchema),
  Throughput: jsonSchemaOf(throughputSchema),
  Stats: jsonSchemaOf(statsSchema),
  ColumnIndex: jsonSchemaOf(indexSchema),
  Profile: jsonSchemaOf(profileSchema),
  ProfileFields: jsonSchemaOf(profileFieldsSchema),
  CredentialCheck: jsonSchemaOf(credentialsSchema),
  PushRecord: jsonSchemaOf(recordSchema),
  ...sendingSchemas(),
  Reasons: jsonSchemaOf(reasonsSchema),
  Channel: jsonSchemaOf(channelSchema),
  ChannelScope: jsonSchemaOf(scopeSchema),
  ChannelDiscard: jsonSchemaOf(discardSchema),
  ChannelWork: jsonSchemaOf(workSchema),
  ...fleetSchemas(),
  UserChange: jsonSchemaOf(userBodySchema),
  User: jsonSchemaOf(userSchema.loose().extend(given).partial({ openids: true, unionids: true })),
  UserWithBlocks: jsonSchemaOf(userSchema.loose().extend({ ...given, blocked_clients: z.array(z.string()) })),
  ClientChange: jsonSchemaOf(clientBodySchema),
  Client: jsonSchemaOf(clientSchema.loose()),
  NewToken: jsonSchemaOf(freshTokenSchema),
  GivenToken: jsonSchemaOf(macTokenSchema),
  Token: jsonSchemaOf(tokenSchema),
  ListedToken: jsonSchemaOf(listedTokenSchema),
  UserImport: jsonSchemaOf(importSchema),
  InstallationImport: jsonSchemaOf(installationImportSchema),
  Imported: jsonSchemaOf(importedSchema),
  Installation: jsonSchemaOf(installationSchema),
  InspectedInstallation: jsonSchemaOf(inspectedSchema),
  DeviceStory: jsonSchemaOf(storySchema),
  ...peopleSchemas(),
});
