import { type VendorChannel } from '@pushfleet/channel-kit';
import {
  devicePushBodySchema,
  installationFieldsSchema,
  operationSchema,
  pushBodySchema,
  pushSectionSchema,
  WAIT_REASONS,
} from '@pushfleet/domain';
import { jsonSchemaOf, WORDS, type JsonSchema } from '@pushfleet/service-kit';
import { z } from 'zod';
import { ref } from './operation';

const { instant, count, error: errorSchema } = WORDS;
const counts = z.record(z.string(), count);

const columnSchema = z
  .looseObject({
    expected: count.describe('Devices that the channel was to reach when the push was dispatched.'),
    matched: count.describe('Equals accepted + discarded + failed + outstanding.'),
    accepted: count,
    delivered: count.describe('Reported by receipts and acknowledgements; may grow after `done`.'),
    lapsed: count,
    clicked: count,
    truncated: count,
    discarded: counts.describe('By reason.'),
    failed: counts.describe('By reason.'),
    outstanding: count,
  })
  .describe('The books of one channel.');

const recordedErrorSchema = z.looseObject({
  channel: z.string(),
  reason: z.string(),
  count,
  vendorCode: z.string().optional(),
  vendorMessage: z.string().optional(),
  action: z.string().describe('What the operator should do.'),
  samples: z.array(z.string()).max(20).describe('objectIds of some of the devices.'),
});

const waitSchema = z.looseObject({
  channel: z.string(),
  profile: z.string(),
  reason: z
    .enum(WAIT_REASONS)
    .describe(
      '`paused`: an operator has to let it go on. `under-way`: the vendor was called and has not answered. All but the first end by themselves.',
    ),
  until: instant.describe('It goes on, or tries again, by then; `expiresAt` where somebody has to act.'),
  devices: count.describe('Without a verdict; of several profiles of a channel each is told all of them.'),
});

const recordSchema = (channels: Readonly<Record<string, VendorChannel>>) =>
  z.looseObject({
    objectId: z.string(),
    notificationId: z.string(),
    'from-service': z.literal('push'),
    status: z.enum(['scheduled', 'in-queue', 'done', 'error']),
    prod: z.enum(['dev', 'prod']),
    msg: z.looseObject({}).describe('The content as it was sent.'),
    where: z.looseObject({}),
    'push-time': instant,
    expiresAt: instant,
    createdAt: instant,
    updatedAt: instant,
    devices: count.describe('Devices that matched.'),
    successes: count.describe('Accepted by a vendor, or confirmed by a device of the own channel.'),
    invalidTokens: count,
    lcSuccesses: count,
    ...Object.fromEntries(Object.values(channels).map(({ successesField }) => [successesField, count.optional()])),
    estimatedDoneAt: instant.optional().describe('While a budget makes devices wait.'),
    waiting: z
      .array(waitSchema)
      .optional()
      .describe('What is not being sent at the moment, and why; absent when nothing waits.'),
    channels: z.record(z.string(), columnSchema),
    errors: z.array(recordedErrorSchema),
    warnings: z
      .array(z.looseObject({ channel: z.string(), message: z.string(), count }))
      .optional()
      .describe(
        'What channels left out of the message or changed in it, and for how many devices; also that all installations were read for want of an index.',
      ),
  });

const created = { objectId: z.string(), createdAt: instant };

const warningsSchema = z
  .array(z.strictObject({ path: z.string().describe('Where in the body.'), message: z.string() }))
  .describe('What in the push will not do what it looks like; the push is sent all the same.');
const preflightChannelSchema = z
  .strictObject({
    matched: count.describe('Devices of the audience.'),
    sendable: count.describe('Of them, those that would be handed to the vendor.'),
    discarded: counts.describe('The others, by reason.'),
    calls: count.describe('Of the vendor, without repeats.'),
    bytes: count.describe('The largest message, without addresses.'),
    truncated: count.describe('Devices whose text is cut to the limit of the vendor.'),
    estimatedSeconds: z.number().min(0).describe('By the budgets and the pace of the push, if nothing else is sent.'),
    waiting: z
      .array(z.strictObject({ profile: z.string(), reason: z.enum(WAIT_REASONS), until: instant.optional() }))
      .optional()
      .describe('What the push would wait for; without `until`, for an operator.'),
    margin: count
      .optional()
      .describe('Each number of devices is so far from the true one at most, in 95 of 100 samples.'),
  })
  .describe('What one channel would do.');

const preflightSchema = z.strictObject({
  preflight: z.literal(true),
  devices: count.describe('Devices of the audience.'),
  exact: z.boolean().describe('Every device was counted; otherwise a sample of them.'),
  margin: count.optional().describe('Of `devices`, as in the channels.'),
  channels: z.record(z.string(), preflightChannelSchema),
  warnings: warningsSchema,
  index: z
    .array(z.string())
    .optional()
    .describe('Columns whose indexes would spare the push reading all installations.'),
});

const preflightStateSchema = z.strictObject({
  preflight: z.literal(true),
  path: z.string().describe('Where the answer is, for ten minutes.'),
  state: z.enum(['waiting', 'walking']).describe('`waiting`: another walk of the app is under way.'),
  lookedAt: count.describe('Devices so far.'),
});

const clientRecordSchema = (channels: Readonly<Record<string, VendorChannel>>) =>
  recordSchema(channels)
    .omit({ msg: true, where: true, waiting: true })
    .extend({ errors: z.array(recordedErrorSchema.omit({ samples: true })) })
    .describe('With the app key.');

const statusSchema = z
  .strictObject({ objectId: z.string(), status: z.enum(['scheduled', 'in-queue', 'done', 'error']) })
  .describe('With the app key, of a push that had conditions.');

const scheduledSchema = z.looseObject({
  id: count.describe('Names it when it is cancelled.'),
  expire_time: count.describe('When it will be sent, in milliseconds since the epoch.'),
  push_msg: z.looseObject({
    'app-id': z.string(),
    where: z.looseObject({ query: z.looseObject({}) }),
    prod: z.enum(['dev', 'prod']),
    'api-version': z.literal('1.1'),
    msg: z.looseObject({}),
    id: z.string(),
    notificationId: z.string(),
  }),
  createdAt: instant,
});

const outcomesSchema = z.strictObject({
  results: z.array(
    z.strictObject({
      objectId: z.string().optional(),
      installationId: z.string().optional(),
      gone: z.literal(true).optional().describe('The installation was deleted since.'),
      registrationId: z.string().optional().describe('In place of an objectId: the push named this address.'),
      count: count.optional().describe('In place of an objectId: devices that a rule refused together.'),
      channel: z.string(),
      outcome: z.enum(['accepted', 'discarded', 'failed']),
      reason: z.string().optional().describe('Of all but the accepted.'),
      vendorCode: z.string().optional(),
      vendorMessage: z.string().optional(),
      action: z.string().optional().describe('What to do about it.'),
      at: instant.describe('When it was booked.'),
    }),
  ),
  cursor: z.string().nullable().describe('For the next page; null at the end.'),
  complete: z.boolean().describe('Every device of the record is told.'),
});

const elementSchema = z.looseObject({
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE']),
  path: z.string().describe('Begins with `/1.1/`; may carry a query.'),
  params: z.looseObject({}).optional().describe('Query parameters of a GET; `where` as an object.'),
  body: z.unknown().optional(),
});

/** Everything that more than one place of the reference names. */
export function openApiSchemas(
  channels: Readonly<Record<string, VendorChannel>>,
): Readonly<Record<string, JsonSchema>> {
  return {
    Error: jsonSchemaOf(errorSchema),
    Operation: jsonSchemaOf(operationSchema),
    Installation: withStamps(jsonSchemaOf(installationFieldsSchema)),
    InstallationChange: withOperations(jsonSchemaOf(installationFieldsSchema)),
    Created: jsonSchemaOf(z.strictObject(created)),
    Pushed: jsonSchemaOf(z.strictObject({ ...created, warnings: warningsSchema.optional() })),
    Preflight: jsonSchemaOf(preflightSchema),
    PreflightState: jsonSchemaOf(preflightStateSchema),
    Section: jsonSchemaOf(pushSectionSchema),
    Push: withSections(jsonSchemaOf(pushBodySchema), channels),
    DevicePush: withSections(jsonSchemaOf(devicePushBodySchema), channels),
    PushRecord: jsonSchemaOf(recordSchema(channels)),
    ClientPushRecord: jsonSchemaOf(clientRecordSchema(channels)),
    PushStatus: jsonSchemaOf(statusSchema),
    ScheduledPush: jsonSchemaOf(scheduledSchema),
    Outcomes: jsonSchemaOf(outcomesSchema),
    BatchElement: jsonSchemaOf(elementSchema),
    Cancelled: jsonSchemaOf(z.strictObject({ cancelled: count, sent: count, outstanding: count }).partial()),
  };
}

const propertiesOf = ({ properties }: JsonSchema): Readonly<Record<string, JsonSchema>> =>
  properties as Readonly<Record<string, JsonSchema>>;

function withStamps(schema: JsonSchema): JsonSchema {
  const stamps = jsonSchemaOf(z.looseObject({ objectId: z.string(), createdAt: instant, updatedAt: instant }));
  return { ...stamps, properties: { ...propertiesOf(stamps), ...propertiesOf(schema) } };
}

/** Fields of the service and of the app, and what clients send back or add for themselves. */
const FIELD_NAME = { pattern: '^([A-Za-z][A-Za-z0-9_]{0,127}|_version|__.*)$' };

/** In a save, an operation or null may stand where the document has a value. */
function withOperations(schema: JsonSchema): JsonSchema {
  const changes = Object.entries(propertiesOf(schema)).map(([name, { description, ...field }]) => [
    name,
    { description, anyOf: [field, ref('Operation'), { type: 'null' }] },
  ]);
  return { ...schema, properties: Object.fromEntries(changes) as JsonSchema, propertyNames: FIELD_NAME };
}

const CONTENT = ['alert', 'action', 'silent'];
const EXCLUSIVE = [
  ['expiration_time', 'expiration_interval'],
  ['where', 'cql'],
];

function saysOneOf(names: readonly string[], within?: string): JsonSchema {
  const said = { anyOf: names.map((name) => ({ required: [name] })) };
  return within === undefined ? said : { properties: { [within]: said } };
}

/** Sections stand in the content or beside it. */
function withSections(schema: JsonSchema, channels: Readonly<Record<string, VendorChannel>>): JsonSchema {
  const names = ['android', 'ios', 'fcm', 'wp', ...Object.keys(channels)];
  const sections = Object.fromEntries(names.map((name) => [name, ref('Section')]));
  const { data = {}, ...rest } = propertiesOf(schema);
  return {
    ...schema,
    properties: { data: { ...data, properties: { ...propertiesOf(data), ...sections } }, ...rest, ...sections },
    allOf: [
      { anyOf: [saysOneOf([...CONTENT, ...names], 'data'), saysOneOf(names)] },
      ...EXCLUSIVE.filter((fields) => fields.every((field) => field in rest)).map((required) => ({
        not: { required },
      })),
    ],
  };
}
