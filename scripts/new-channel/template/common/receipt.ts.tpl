import { vendorJson, type RawReceipt, type ReceiptAnswer } from '@pushfleet/channel-kit';
import { type Receipt } from '@pushfleet/domain';
import { z } from 'zod';

/** The vendor's events; any other changes nothing. */
const KINDS: Readonly<Record<string, Receipt['kind']>> = {
  delivered: 'delivered',
  clicked: 'clicked',
  unregistered: 'registration-gone',
};

const entrySchema = z.looseObject({
  token: z.string().min(1),
  event: z.string(),
  tag: z.string().optional().catch(undefined),
  at: z.int().optional().catch(undefined),
});

const bodySchema = z.looseObject({ events: z.array(z.unknown()) });

const REPLY = { status: 200, contentType: 'application/json', body: '{"code":0}' };

/** The vendor signs nothing: who may report is decided by the key in the callback's path. */
export function parseReceipt({ body }: RawReceipt): ReceiptAnswer {
  const read = bodySchema.safeParse(vendorJson(body));
  const events = read.success ? read.data.events : [];
  return { receipts: events.flatMap((event) => receiptOf(entrySchema.safeParse(event).data)), reply: REPLY };
}

function receiptOf(entry: z.infer<typeof entrySchema> | undefined): readonly Receipt[] {
  if (entry === undefined) return [];
  const { token, event, tag, at } = entry;
  return [
    {
      kind: KINDS[event] ?? 'ignored',
      registrationId: token,
      vendorStatus: event,
      ...(tag ? { pushId: tag } : {}),
      ...(at === undefined ? {} : { at }),
    },
  ];
}
