import { COUNTED_RECEIPTS } from '@pushfleet/domain';
import { z } from 'zod';

/** The pushes of one group commit. */
export const envelopeSchema = z.object({ pushIds: z.array(z.string()).min(1) });
export type Envelope = z.infer<typeof envelopeSchema>;

/** Pages of the ledger, by push and number. */
const pagesSchema = z.object({
  pages: z.array(z.object({ pushId: z.string(), page: z.int() })).min(1),
  /** Only pages that were planned by this envelope: the job was added while they were. */
  envelope: z.string().optional(),
});
export type PagesJob = z.infer<typeof pagesSchema>;

const laneSchema = z.object({ pushId: z.string(), lane: z.int() });
export type LaneJob = z.infer<typeof laneSchema>;

/** What a channel's queues carry. */
export const channelJobSchema = z.union([pagesSchema, laneSchema]);
export type ChannelJob = z.infer<typeof channelJobSchema>;

/** Vendor reports, already read. */
export const receiptsSchema = z.object({
  app: z.string(),
  channel: z.string(),
  /** Absent in jobs of earlier versions. */
  profile: z.string().optional(),
  receipts: z.array(
    z.object({
      kind: z.enum([...COUNTED_RECEIPTS, 'registration-gone', 'notifications-off', 'ignored']),
      pushId: z.string().optional(),
      registrationId: z.string(),
      vendorStatus: z.string(),
      at: z.number().optional(),
    }),
  ),
});
export type ReceiptsJob = z.infer<typeof receiptsSchema>;
