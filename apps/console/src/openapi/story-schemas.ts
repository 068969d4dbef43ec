import { COUNTED_RECEIPTS, WAIT_REASONS } from '@pushfleet/domain';
import { WORDS } from '@pushfleet/http-edge';
import { z } from 'zod';

const { instant, count } = WORDS;
const words = { means: z.string(), remedy: z.string().describe('What to do.') };

const standingSchema = z.looseObject({
  isReachable: z.boolean(),
  channel: z.string().optional().describe('The channel of the next push; absent: no push finds the device.'),
  profile: z.string().optional(),
  reason: z.string().optional().describe('Why it is not reached: a reason of push records, `not-valid` or `stale`.'),
  means: z.string().optional(),
  remedy: z.string().optional(),
  action: z.string().optional(),
});

const aheadSchema = z.looseObject({
  reason: z.enum(WAIT_REASONS),
  ...words,
  until: instant.optional().describe('Absent: until somebody acts.'),
  campaignsOnly: z.literal(true).optional().describe('A push to this device alone is tried at once.'),
});

const pushSchema = z.looseObject({
  objectId: z.string(),
  notificationId: z.string(),
  status: z.string(),
  createdAt: instant,
  cancelled: z.literal(true).optional(),
  outcome: z
    .string()
    .describe('`accepted`, `discarded`, `failed`, or `not-kept` with a `message` that says what is known.'),
  channel: z.string().optional(),
  reason: z.string().optional(),
  action: z.string().optional(),
  vendorCode: z.string().optional(),
  vendorMessage: z.string().optional(),
  message: z.string().optional(),
  receipts: z.array(z.enum(COUNTED_RECEIPTS)).optional().describe('What was reported of the device since.'),
  inMailbox: z.literal(true).optional().describe('The message waits for the device to connect.'),
});

/** One device's story. */
export const storySchema = z.looseObject({
  objectId: z.string(),
  installationId: z.string().optional(),
  createdAt: instant,
  updatedAt: instant,
  now: standingSchema.extend({
    waiting: aheadSchema.optional().describe('What a push would wait for.'),
    silent: standingSchema.optional().describe('What becomes of a silent push, where that differs.'),
  }),
  gateway: z
    .looseObject({
      isConnected: z.boolean(),
      id: z.string().optional(),
      urls: z.array(z.string()).optional(),
    })
    .describe('The connection of the own channel.'),
  mailbox: z.looseObject({
    messages: count,
    oldestAt: instant.optional(),
  }),
  pushes: z
    .array(pushSchema)
    .describe('The last ones that were for it, the newest first; by their records, never by the rules of today.'),
  pushesLookedAt: count.describe('The newest pushes of the app that were looked at for it.'),
});
