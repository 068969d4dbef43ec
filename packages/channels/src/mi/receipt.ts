import { vendorJsonObject, type RawReceipt, type ReceiptAnswer } from '@pushfleet/channel-kit';
import { type Receipt } from '@pushfleet/domain';
import { z } from 'zod';

/** Xiaomi "API and parameters", 2024-10-21, receipts: one event per entry, numbered by the bits of the type mask. */
const KINDS: ReadonlyMap<string, Receipt['kind']> = new Map([
  ['1', 'delivered'],
  ['2', 'clicked'],
  ['16', 'registration-gone'],
  ['32', 'notifications-off'],
  // Xiaomi push, pId=1854 (2024-09-03): the life of the message is over.
  ['1024', 'lapsed'],
]);

const entrySchema = z.looseObject({
  type: z.union([z.int(), z.string()]).transform(String),
  /** Comma-separated. */
  targets: z.string(),
  param: z.string().optional().catch(undefined),
  timestamp: z.int().optional().catch(undefined),
});

type Entry = z.infer<typeof entrySchema>;

/** The vendor signs nothing: who may report is decided by the key in the callback's path. */
export function parseReceipt(raw: RawReceipt): ReceiptAnswer {
  const entries = isJsonObjectText(raw.body) ? raw.body : (new URLSearchParams(raw.body).get('data') ?? '');
  return {
    receipts: Object.values(vendorJsonObject(entries) ?? {}).flatMap((entry) =>
      receiptsOf(entrySchema.safeParse(entry).data),
    ),
    reply: { status: 200, contentType: 'text/plain', body: 'ok' },
  };
}

/** Documented as a form field, seen as a bare JSON body. */
const isJsonObjectText = (body: string): boolean => body.trimStart().startsWith('{');

function receiptsOf(entry: Entry | undefined): readonly Receipt[] {
  if (entry === undefined) return [];
  const ids = entry.targets.split(',').filter((id) => id !== '');
  return ids.map((registrationId) => ({
    kind: KINDS.get(entry.type) ?? 'ignored',
    registrationId,
    vendorStatus: entry.type,
    ...(entry.param ? { pushId: entry.param } : {}),
    ...(entry.timestamp === undefined ? {} : { at: entry.timestamp }),
  }));
}
