import { vendorJson, type RawReceipt, type ReceiptAnswer } from '@pushfleet/channel-kit';
import { type Receipt } from '@pushfleet/domain';
import { z } from 'zod';

/** The vendor publishes no list of statuses; these two are known to mean that the device has got the message. */
const DELIVERED = new Set(['0', '40000002']);

const entrySchema = z.looseObject({
  token: z.string().refine((token) => token !== ''),
  status: z.union([z.int(), z.string()]).transform(String),
  biTag: z.string().optional().catch(undefined),
  timestamp: z.int().optional().catch(undefined),
});

const bodySchema = z.looseObject({ statuses: z.array(z.unknown()) });

const REPLY = { status: 200, contentType: 'application/json', body: '{"code":"0","message":"success"}' };

/** The vendor signs nothing: who may report is decided by the key in the callback's path. */
export function parseReceipt(raw: RawReceipt): ReceiptAnswer {
  const body = bodySchema.safeParse(vendorJson(raw.body));
  const entries = body.success ? body.data.statuses : [];
  return { receipts: entries.flatMap((entry) => receiptOf(entrySchema.safeParse(entry).data)), reply: REPLY };
}

function receiptOf(entry: z.infer<typeof entrySchema> | undefined): readonly Receipt[] {
  if (entry === undefined) return [];
  const { token, status, biTag, timestamp } = entry;
  return [
    {
      kind: DELIVERED.has(status) ? 'delivered' : 'ignored',
      registrationId: token,
      vendorStatus: status,
      ...(biTag ? { pushId: biTag } : {}),
      ...(timestamp === undefined ? {} : { at: timestamp }),
    },
  ];
}
