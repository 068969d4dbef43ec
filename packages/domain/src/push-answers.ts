import { z } from 'zod';
import { WAIT_REASONS } from './wait-reasons';

/** A time and a number in any answer. */
export const ANSWER_WORDS = { instant: z.iso.datetime({ precision: 3 }), count: z.int().min(0) };

const { instant, count } = ANSWER_WORDS;
const counts = z.record(z.string(), count);

/** What in a push will not do what it looks like. */
export const warningsSchema = z
  .array(
    z.strictObject({
      path: z.string().describe('Where in the body; `where.NAME` is a column of the condition, in `cql` too.'),
      message: z.string(),
    }),
  )
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
    shown: z
      .strictObject({ title: z.string(), text: z.string() })
      .optional()
      .describe('As its vendor gets them, cut where they are too long; of the profile with the most devices.'),
  })
  .describe('What one channel would do.');

/** What a push would reach. */
export const preflightSchema = z.strictObject({
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

/** Of a walk that goes on. */
export const preflightStateSchema = z.strictObject({
  preflight: z.literal(true),
  path: z.string().describe('Where the answer is, for ten minutes.'),
  state: z.enum(['waiting', 'walking']).describe('`waiting`: another walk of the app is under way.'),
  lookedAt: count.describe('Devices so far.'),
});

/** What of a push waits, for one profile of a channel. */
export const waitSchema = z.looseObject({
  channel: z.string(),
  profile: z.string(),
  reason: z.enum(WAIT_REASONS),
  until: instant.describe('It goes on, or tries again, by then; `expiresAt` where somebody has to act.'),
  devices: count,
});

/** A push was taken. */
export const pushedSchema = z.strictObject({
  objectId: z.string(),
  createdAt: instant,
  warnings: warningsSchema.optional(),
});

/** What a cancel found, in devices, at that moment. */
export const cancelledSchema = z.strictObject({ cancelled: count, sent: count, outstanding: count });
