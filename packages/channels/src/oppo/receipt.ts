import { vendorJson, type RawReceipt, type ReceiptAnswer } from '@pushfleet/channel-kit';
import { type Receipt } from '@pushfleet/domain';
import { z } from 'zod';

/** OPPO open platform, "Message receipts". There is no event for clicks. */
const KINDS: ReadonlyMap<string, Receipt['kind']> = new Map([
  ['push_arrive', 'delivered'],
  ['regid_invalid', 'registration-gone'],
  ['user_daily_limit', 'ignored'],
]);

const itemSchema = z.object({
  registrationIds: z.string(),
  eventType: z.string(),
  eventTime: z
    .union([z.number(), z.string().regex(/^\d{1,15}$/)])
    .optional()
    .catch(undefined),
  param: z.string().optional().catch(undefined),
});
type Item = z.infer<typeof itemSchema>;

/** The vendor signs nothing and documents no reply: any quick 200 will do. */
export function parseReceipt({ body }: RawReceipt): ReceiptAnswer {
  const items = parseItems(body);
  return items === undefined
    ? { receipts: [], reply: { status: 400, contentType: 'application/json', body: '{"code":400}' } }
    : {
        receipts: items.flatMap(receiptsOf),
        reply: { status: 200, contentType: 'application/json', body: '{"code":0}' },
      };
}

/** Items that cannot be read are left out: they must not cost the others their receipts. */
function parseItems(body: string): Item[] | undefined {
  const list = z.array(z.unknown()).safeParse(vendorJson(body));
  if (!list.success) return undefined;
  return list.data.flatMap((item) => itemSchema.safeParse(item).data ?? []);
}

function receiptsOf({ registrationIds, eventType, eventTime, param }: Item): Receipt[] {
  const ids = registrationIds.split(',').flatMap((id) => id.trim() || []);
  return ids.map((registrationId) => ({
    kind: KINDS.get(eventType) ?? 'ignored',
    registrationId,
    vendorStatus: eventType,
    ...(param ? { pushId: param } : {}),
    ...(eventTime === undefined ? {} : { at: Number(eventTime) }),
  }));
}
