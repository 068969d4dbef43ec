import { WORDS } from '@pushfleet/http-edge';
import { z } from 'zod';

const { instant, count } = WORDS;
const counts = z.record(z.string(), count);

const groupSchema = z.looseObject({
  vendor: z.string().describe('As the devices name it; `ios`, or `none`.'),
  reason: z.string().optional().describe('Why they are not reached; absent when they are.'),
  profile: z.string().optional().describe('Named where it is what is missing.'),
  count,
});

/** What some of the devices of an app are. */
export const audienceSchema = z.looseObject({
  lookedAt: count.describe('Devices of this slice.'),
  total: count.optional().describe('Of the app; with the first slice.'),
  cursor: z.string().optional().describe('Where the next slice begins; absent when this was the last one.'),
  reach: z.array(groupSchema).describe('By vendor, and by whether and why not a push would reach them.'),
  profiles: counts.describe('By `deviceProfile`.'),
  values: counts.describe('By the value of the column that was asked for.'),
  seen: counts.describe('By the days since they last saved: under 1, 7, 30, 90, and `older`.'),
});

const channelBacklogSchema = z.looseObject({
  channel: z.string(),
  pushes: count.describe('With devices left on the channel.'),
  devices: count.describe('Found for them, and without a verdict.'),
  waitsSince: instant.describe('Since when the push waits that waits longest, of those counted: accepted, or due.'),
  estimatedDoneAt: instant.optional().describe('As the budget lets them; absent while nothing waits for it.'),
  waiting: z.array(z.looseObject({ reason: z.string(), pushes: count, devices: count })),
});

const channelThroughputSchema = z.looseObject({
  channel: z.string(),
  decided: count.describe('Devices with a verdict (accepted, discarded, failed), of all pushes ever.'),
});

/** What channels have left to do. */
export const backlogSchema = z.looseObject({
  complete: z.boolean().describe('False: there are more open pushes than were counted.'),
  results: z.array(channelBacklogSchema),
});

/** How many devices channels decided about. */
export const throughputSchema = z.looseObject({
  at: instant.describe('When it was counted; two answers tell a speed.'),
  results: z.array(channelThroughputSchema),
});

/** Both, of every channel. */
export const statsSchema = z.looseObject({
  at: throughputSchema.shape.at,
  complete: backlogSchema.shape.complete,
  results: z.array(
    channelBacklogSchema
      .extend(channelThroughputSchema.shape)
      .extend({ waitsSince: channelBacklogSchema.shape.waitsSince.optional() }),
  ),
});
