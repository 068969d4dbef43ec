import { vendorJson, type RawReceipt, type ReceiptAnswer } from '@pushfleet/channel-kit';
import { isJsonObject, type Receipt } from '@pushfleet/domain';
import { z } from 'zod';

/** The only documented status (vivo push server API, "Message receipts"); older receipts carry none and mean it. */
const ARRIVED = '0';

const reportSchema = z.object({
  targets: z.union([z.string().transform((ids) => ids.split(',')), z.array(z.string())]),
  ackTime: z
    .union([z.number(), z.string().regex(/^\d{1,15}$/)])
    .optional()
    .catch(undefined),
  ackType: z.union([z.string(), z.number()]).transform(String).default(ARRIVED),
  param: z.string().optional().catch(undefined),
});
type Report = z.infer<typeof reportSchema>;

/** The vendor signs nothing and documents no reply: any quick 200 will do. */
export function parseReceipt({ body }: RawReceipt): ReceiptAnswer {
  const reports = parseReports(body);
  const contentType = 'application/json';
  return reports === undefined
    ? { receipts: [], reply: { status: 400, contentType, body: '{"result":400}' } }
    : { receipts: reports.flatMap(receiptsOf), reply: { status: 200, contentType, body: '{"result":0}' } };
}

/** By task id. Reports that cannot be read are left out: they must not cost the others their receipts. */
function parseReports(body: string): Report[] | undefined {
  const byTask = vendorJson(body);
  if (!isJsonObject(byTask)) return undefined;
  return Object.values(byTask).flatMap((report) => reportSchema.safeParse(report).data ?? []);
}

function receiptsOf({ targets, ackTime, ackType, param }: Report): Receipt[] {
  const ids = targets.flatMap((id) => id.trim() || []);
  return ids.map((registrationId) => ({
    kind: ackType === ARRIVED ? 'delivered' : 'ignored',
    registrationId,
    vendorStatus: ackType,
    ...(param ? { pushId: param } : {}),
    ...(ackTime === undefined ? {} : { at: Number(ackTime) }),
  }));
}
