import { WORDS } from '@pushfleet/http-edge';
import { z } from 'zod';

const { instant, count } = WORDS;
const counts = z.record(z.string(), count);

const controlSchema = z.looseObject({
  state: z
    .enum(['paused', 'draining', 'discarding'])
    .describe('`draining`: pushes that were there before are sent, later ones wait; then it is paused.'),
  app: z.string().optional(),
  profile: z.string().optional(),
  since: instant,
});
const breakerSchema = z.looseObject({
  app: z.string(),
  profile: z.string(),
  state: z.string(),
  since: instant,
  nextProbeAt: instant,
});

const heldPushSchema = z.looseObject({
  app: z.string(),
  profile: z.string(),
  pushId: z.string(),
  reason: z.literal('unrecognised-answer'),
  vendorCode: z.string().nullable(),
  since: instant,
  until: instant,
  nextProbeAt: instant,
});
const vendorWaitSchema = z.looseObject({
  app: z.string(),
  profile: z.string(),
  reason: z.enum(['throttled', 'quota-exceeded']),
  until: instant,
});
const callLimitSchema = z.looseObject({
  app: z.string(),
  profile: z.string(),
  queue: z.enum(['direct', 'bulk']),
  workers: count.describe('That have sent of late.'),
  allowed: count.describe('Calls that these may have in flight together, as the vendor lets them.'),
  latencyMs: count.nullable().describe('Of a call while the vendor is not pressed, by the slowest worker.'),
});

/** A channel as operators see it. */
export const channelSchema = z.looseObject({
  channel: z.string(),
  consumers: count.describe('Living workers.'),
  controls: z.array(controlSchema).describe('What was decided about it or a part of it.'),
  breakers: z.array(breakerSchema).describe('Those that are not closed.'),
  heldPushes: z.array(heldPushSchema).describe('Campaigns whose vendor answers with a code that nobody knows.'),
  vendorWaits: z.array(vendorWaitSchema).describe('Profiles whose campaigns the vendor asked to wait.'),
  callLimits: z.array(callLimitSchema).describe('Of the profiles that were sent to within the last seconds.'),
  budget: z.looseObject({}).describe('The limits of a profile that sets none.'),
  direct: counts.describe('Unfinished jobs for single devices, by state.'),
  bulk: counts.describe('The same for audiences.'),
});

/** What a decision about a channel, or a part of it, would meet. */
export const workSchema = z.strictObject({
  pushes: count.describe('Open ones with work on the channel, or not planned yet.'),
  devices: count.describe('Found for them, and without a verdict.'),
  complete: z.boolean().describe('False: there are more pushes than were counted.'),
});
