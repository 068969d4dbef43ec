import { type VendorChannel } from '@pushfleet/channel-kit';
import {
  cancelledSchema,
  COLUMN_PATTERN,
  DEVICE_OUTCOMES,
  devicePushBodySchema,
  FROM_SERVICES,
  installationFieldsSchema,
  MAX_SAMPLES,
  mutesSchema,
  namedPushBodySchema,
  offlineMessageSchema,
  operationSchema,
  preflightSchema,
  preflightStateSchema,
  PUSH_STATUSES,
  pushBodySchema,
  pushedSchema,
  pushSectionSchema,
  waitSchema,
  warningsSchema,
} from '@pushfleet/domain';
import { jsonSchemaOf, WORDS, type JsonSchema } from '@pushfleet/http-edge';
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
  samples: z.array(z.string()).max(MAX_SAMPLES).describe('objectIds of some of the devices.'),
});

const toldWaitSchema = waitSchema.extend({
  reason: waitSchema.shape.reason.describe(
    '`paused`: an operator has to let it go on. `under-way`: the vendor was called and has not answered. All but the first end by themselves.',
  ),
  devices: count.describe('Without a verdict; of several profiles of a channel each is told all of them.'),
});

const recordSchema = (channels: Readonly<Record<string, VendorChannel>>) =>
  z.looseObject({
    objectId: z.string(),
    notificationId: z.string(),
    'from-service': z.enum(FROM_SERVICES).describe('`rtm`: a chat server asked for it.'),
    status: z.enum(PUSH_STATUSES),
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
    iosSuccesses: count,
    fcmSuccesses: count,
    ...Object.fromEntries(Object.values(channels).map(({ successesField }) => [successesField, count.optional()])),
    estimatedDoneAt: instant.optional().describe('While a budget makes devices wait.'),
    waiting: z
      .array(toldWaitSchema)
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

const clientRecordSchema = (channels: Readonly<Record<string, VendorChannel>>) =>
  recordSchema(channels)
    .omit({ msg: true, where: true, waiting: true })
    .extend({ errors: z.array(recordedErrorSchema.omit({ samples: true })) })
    .describe('With the app key.');

const statusSchema = z
  .strictObject({ objectId: z.string(), status: z.enum(PUSH_STATUSES) })
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
      outcome: z.enum(DEVICE_OUTCOMES),
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

const pushedOfflineSchema = z
  .strictObject({
    objectId: z.string().optional().describe('Of the push; absent when nothing was pushed.'),
    pushed: count.describe('Receivers with a device that the push goes to.'),
    muted: count.describe('Receivers that have muted the conversation.'),
    unreachable: count.describe('Receivers without such a device.'),
    withoutText: count.describe('Receivers for whom neither the message nor the app says what to push.'),
    warnings: warningsSchema.optional(),
  })
  .describe('Each receiver but the sender is counted once.');

const conversationSchema = z.strictObject({
  updatedAt: instant,
  objectId: z.string().describe('Of the conversation.'),
});

const bindingSchema = z.strictObject({
  updatedAt: instant,
  objectId: z.string().describe('The client id.'),
  installationId: z.string(),
  warnings: warningsSchema.optional(),
});

const retiredSchema = z.strictObject({
  results: z.array(
    z.strictObject({
      objectId: z.string(),
      installationId: z.string().optional(),
      registrationId: z.string().optional().describe('The dead one, as long as the device has no other.'),
      channel: z.string(),
      reason: z.string(),
      action: z.string().describe('What to do about it.'),
      at: instant.describe('When it was retired.'),
      renewed: z.literal(true).optional().describe('The device has another registration since.'),
      gone: z.literal(true).optional().describe('The installation was deleted since.'),
    }),
  ),
  cursor: z.string().nullable().describe('For the next page; null at the end.'),
  complete: z.boolean().describe('Nothing that was retired since then had to go.'),
});

const elementSchema = z.looseObject({
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE']),
  path: z.string().describe('Begins with `/1.1/` or `/1.2/`; may carry a query.'),
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
    Deletion: jsonSchemaOf(z.looseObject({ __op: z.literal('Delete') })),
    Installation: withStamps(jsonSchemaOf(installationFieldsSchema)),
    InstallationChange: withOperations(jsonSchemaOf(installationFieldsSchema)),
    Created: jsonSchemaOf(z.strictObject({ objectId: z.string(), createdAt: instant })),
    Pushed: jsonSchemaOf(pushedSchema),
    Preflight: jsonSchemaOf(preflightSchema),
    PreflightState: jsonSchemaOf(preflightStateSchema),
    Section: jsonSchemaOf(pushSectionSchema),
    Push: withSections(jsonSchemaOf(pushBodySchema), channels),
    DevicePush: withSections(jsonSchemaOf(devicePushBodySchema), channels),
    NamedPush: naming(withSections(jsonSchemaOf(namedPushBodySchema), channels)),
    PushRecord: jsonSchemaOf(recordSchema(channels)),
    ClientPushRecord: jsonSchemaOf(clientRecordSchema(channels)),
    PushStatus: jsonSchemaOf(statusSchema),
    ScheduledPush: jsonSchemaOf(scheduledSchema),
    Outcomes: jsonSchemaOf(outcomesSchema),
    OfflineMessage: jsonSchemaOf(offlineMessageSchema),
    PushedOffline: jsonSchemaOf(pushedOfflineSchema),
    Mutes: jsonSchemaOf(mutesSchema),
    Conversation: jsonSchemaOf(conversationSchema),
    ClientInstallation: jsonSchemaOf(bindingSchema),
    Retired: jsonSchemaOf(retiredSchema),
    BatchElement: jsonSchemaOf(elementSchema),
    Cancelled: jsonSchemaOf(cancelledSchema.partial()),
  };
}

const propertiesOf = ({ properties }: JsonSchema): Readonly<Record<string, JsonSchema>> =>
  properties as Readonly<Record<string, JsonSchema>>;

function withStamps(schema: JsonSchema): JsonSchema {
  const stamps = jsonSchemaOf(z.looseObject({ objectId: z.string(), createdAt: instant, updatedAt: instant }));
  return { ...stamps, properties: { ...propertiesOf(stamps), ...propertiesOf(schema) } };
}

/** Fields of the service and of the app, and what clients send back or add for themselves. */
const FIELD_NAME = { pattern: `${COLUMN_PATTERN}|^(_version|__.*)$` };

/** In a save, an operation or null may stand where the document has a value; none but a removal where that is no list. */
function withOperations(schema: JsonSchema): JsonSchema {
  const changes = Object.entries(propertiesOf(schema)).map(([name, { description, ...field }]) => [
    name,
    { description, anyOf: [field, ...listOperations(field), ref('Deletion'), { type: 'null' }] },
  ]);
  return {
    ...schema,
    properties: Object.fromEntries(changes) as JsonSchema,
    additionalProperties: { description: 'Of the app: any value, or an operation.', anyOf: [ref('Operation'), {}] },
    propertyNames: FIELD_NAME,
  };
}

const listOperations = (field: JsonSchema): readonly JsonSchema[] =>
  field['type'] === 'array'
    ? [
        {
          type: 'object',
          required: ['__op', 'objects'],
          properties: { __op: { enum: ['Add', 'AddUnique', 'Remove'] }, objects: field },
        },
      ]
    : [];

const CONTENT = ['alert', 'action', 'silent'];
const EXCLUSIVE = [
  ['expiration_time', 'expiration_interval'],
  ['where', 'cql'],
];

/** Who gets a push that names its installations: the ids of one list, and nothing else says so. */
const naming = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  oneOf: ['installation_ids', 'object_ids'].map((name) => ({ required: [name] })),
  not: { anyOf: ['where', 'channels', 'cql'].map((name) => ({ required: [name] })) },
});

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
