import { z } from 'zod';
import { DAY_MS } from './day-ms';
import { LIMITS } from './limits';
import {
  channelNameSchema,
  deviceProfileSchema,
  dateSchema,
  notAName,
  objectSchema,
  registrationIdSchema,
  textSchema,
} from './wire-values';

const MAX_INTERVAL_SECONDS = 999_999_999;
const MAX_LIFE_DAYS = LIMITS.longestPushLifeMs.value / DAY_MS;
/** LeanCloud push REST guide: devices of one call. */
const MAX_DEVICES = LIMITS.deviceIds.value;

const BADGE = 'must be an integer from 0 to 99 or "Increment"';
const badgeSchema = z.union([z.literal('Increment'), z.int().min(0, { error: BADGE }).max(99, { error: BADGE })], {
  error: BADGE,
});

/** What the common data and the section of a platform both may say. */
const commonFields = {
  alert: z.union([textSchema, objectSchema], { error: 'must be a string' }).optional().describe('Text of the message.'),
  title: textSchema.optional().describe('Absent: the name of the app.'),
  silent: z
    .boolean({ error: 'must be a boolean' })
    .optional()
    .describe('Handed to the app instead of shown; vendors without pass-through discard it.'),
};

/** The content of a push; whatever else stands in it is a custom attribute or the section of a platform. */
export const pushDataSchema = z
  .looseObject(
    {
      ...commonFields,
      badge: badgeSchema.optional(),
      action: z.unknown().describe('Broadcast that the app receives on a tap.').meta({ type: 'string' }).optional(),
      _notificationChannel: textSchema.nullish().describe('Android notification channel.'),
    },
    { error: 'must be an object' },
  )
  .describe('Content of the message; keys that are not listed are custom attributes for the app.');

/** The vendor's own badge may be an object. */
export const pushSectionSchema = z
  .looseObject(
    { ...commonFields, badge: z.union([badgeSchema, objectSchema], { error: BADGE }).optional() },
    { error: 'must be an object' },
  )
  .describe('Overrides the common content for one platform and carries parameters of its own.');

/** Of a push, as its sender chose it. */
export const chosenIdSchema = z
  .string({ error: 'must be 1 to 16 letters and digits' })
  .regex(/^[A-Za-z0-9]{1,16}$/, { error: 'must be 1 to 16 letters and digits' });

const CHANNELS = 'must be a string or an array of strings';
const channelsError = ({ input }: { readonly input?: unknown }): string =>
  typeof input === 'string' || Array.isArray(input) ? notAName({ input }) : CHANNELS;

const SECONDS = { error: `must be a positive number of seconds, at most ${MAX_INTERVAL_SECONDS}` };
const intervalSchema = z
  .union(
    [
      z.number().gt(0, SECONDS).max(MAX_INTERVAL_SECONDS, SECONDS).meta({ minimum: 0.001 }),
      z
        .string()
        .regex(/^\d{1,9}$/, SECONDS)
        .meta({ pattern: '^[1-9][0-9]{0,8}$' }),
    ],
    SECONDS,
  )
  .describe('Seconds from `push_time`, or from the call, until the message is worthless; excludes `expiration_time`.');

/** What may stand beside the data instead of in it. */
export const pushBadgeSchema = z.looseObject({ badge: badgeSchema.optional() });

/** What every way of pushing has in common. */
const sendingFields = {
  data: pushDataSchema,
  expiration_time: dateSchema
    .optional()
    .describe(`When the message is worthless, ${MAX_LIFE_DAYS} days after it is sent at the latest.`),
  expiration_interval: intervalSchema.optional(),
  prod: z
    .enum(['dev', 'prod'], { error: 'must be "dev" or "prod"' })
    .optional()
    .describe('iOS environment; absent: by the header X-LC-Prod.'),
  notification_id: chosenIdSchema
    .optional()
    .describe('Pushes with the same one, and the same key, are told as one record; absent: a random one.'),
  req_id: chosenIdSchema
    .optional()
    .describe(
      'A push repeated with the same one, and the same key, within five minutes is sent once, and not at all once the first was cancelled.',
    ),
  over_budget: z
    .enum(['wait', 'discard'], { error: 'must be "wait" or "discard"' })
    .optional()
    .describe("What becomes of devices that a vendor's budget has no room for now; absent: they wait."),
  _notificationChannel: textSchema.optional().describe('The same as in `data`, which wins.'),
  badge: badgeSchema.optional().describe('The same as in `data`, which wins.'),
};

/** Any fields of an installation, each with a value or operators. */
const CONDITION = { type: 'object', additionalProperties: true } as const;

/** The body of `POST /1.1/push`, once null counts as absent. */
export const pushBodySchema = z.looseObject(
  {
    ...sendingFields,
    where: z
      .unknown()
      .describe(
        'Condition over installations; an array, which must not be empty, means that all of its members hold. Absent: everybody.',
      )
      .meta({ oneOf: [CONDITION, { type: 'array', minItems: 1, items: CONDITION }] })
      .optional(),
    channels: z
      .union([channelNameSchema, z.array(channelNameSchema)], { error: channelsError })
      .optional()
      .describe('Only subscribers of any of these; an empty list is nobody.'),
    cql: textSchema.optional().describe('`select * from _Installation where …` in the place of `where`.'),
    push_time: dateSchema.optional().describe('When to send; less than a minute ahead means at once.'),
    flow_control: z
      .number({ error: 'must be a number of devices per second' })
      .min(0, { error: 'must be a number of devices per second' })
      .optional()
      .describe('Devices per second, at least 1000; absent: no limit.'),
  },
  { error: 'must be a JSON object' },
);

const MAX_NAME = LIMITS.namedIdCharacters.value;

const namesSchema = z
  .array(textSchema.min(1, { error: 'must not be empty' }).max(MAX_NAME, { error: `at most ${MAX_NAME} characters` }), {
    error: 'must be an array of strings',
  })
  .min(1, { error: 'names nobody' })
  .max(MAX_DEVICES, { error: `at most ${MAX_DEVICES}` });

/** The body of `POST /1.1/push/installations`, once null counts as absent. */
export const namedPushBodySchema = pushBodySchema.omit({ where: true, channels: true, cql: true }).extend({
  installation_ids: namesSchema.optional().describe('Of the devices; excludes `object_ids`.'),
  object_ids: namesSchema.optional().describe('Of the installations; excludes `installation_ids`.'),
});

/** The body of `POST /1.1/push/devices`, once null counts as absent. */
export const devicePushBodySchema = z.looseObject(
  {
    device_type: z.enum(['android', 'ios'], { error: 'must be "android" or "ios"' }),
    device_ids: z
      .array(registrationIdSchema.min(1, { error: 'must not be empty' }), { error: 'must be an array of strings' })
      .min(1, { error: 'names nobody' })
      .max(MAX_DEVICES, { error: `at most ${MAX_DEVICES}` })
      .describe('registrationIds of one vendor; of the own channel installationIds.'),
    ...sendingFields,
    vendor: textSchema.optional().describe('As installations spell it; absent, empty or `lc`: the own channel.'),
    device_profile: deviceProfileSchema.optional().describe('Credentials to use; absent or empty: `_default`.'),
    channel: textSchema.optional().describe('Android notification channel.'),
  },
  { error: 'must be a JSON object' },
);
