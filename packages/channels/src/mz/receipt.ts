import { createHash, timingSafeEqual } from 'node:crypto';
import { ReceiptRefused, vendorJsonObject, type RawReceipt, type ReceiptAnswer } from '@pushfleet/channel-kit';
import { type Receipt } from '@pushfleet/domain';
import { z } from 'zod';
import { type MzProfile } from './profile';

/** Meizu PushAPI README, 2025-04-09, "delivery and receipts". */
const KINDS: ReadonlyMap<string, Receipt['kind']> = new Map([
  ['1', 'delivered'],
  ['2', 'clicked'],
]);

const entrySchema = z.looseObject({
  type: z.union([z.int(), z.string()]).transform(String),
  targets: z.array(z.string()),
  param: z.string().optional().catch(undefined),
});

type Entry = z.infer<typeof entrySchema>;

export function parseReceipt(raw: RawReceipt, { receiptToken }: MzProfile): ReceiptAnswer {
  const { accessToken, entries } = readBody(raw.body);
  if (receiptToken !== undefined && !isSame(accessToken, receiptToken)) {
    throw new ReceiptRefused('the access token of the callback is not the one of the profile');
  }
  return {
    receipts: Object.values(vendorJsonObject(entries) ?? {}).flatMap((entry) =>
      receiptsOf(entrySchema.safeParse(entry).data),
    ),
    reply: { status: 200, contentType: 'text/plain', body: 'ok' },
  };
}

/** Documented and captured as a form; one reader in the field expects the bare JSON. */
function readBody(body: string): { readonly accessToken: string; readonly entries: string } {
  if (body.trimStart().startsWith('{')) return { accessToken: '', entries: body };
  const form = new URLSearchParams(body);
  return { accessToken: form.get('access_token') ?? '', entries: form.get('cb') ?? '' };
}

/** Digests have equal lengths, so that the comparison takes the same time for every guess. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function receiptsOf(entry: Entry | undefined): readonly Receipt[] {
  if (entry === undefined) return [];
  return entry.targets.map((registrationId) => ({
    kind: KINDS.get(entry.type) ?? 'ignored',
    registrationId,
    vendorStatus: entry.type,
    ...(entry.param ? { pushId: entry.param } : {}),
  }));
}
