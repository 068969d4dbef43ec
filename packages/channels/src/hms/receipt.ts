import { createHmac, timingSafeEqual } from 'node:crypto';
import { ReceiptRefused, vendorJson, type RawReceipt, type ReceiptAnswer } from '@pushfleet/channel-kit';
import { type Receipt } from '@pushfleet/domain';
import { z } from 'zod';
import { type HmsProfile } from './profile';

/** Huawei "Push Kit: message receipt", status values; every other status says nothing that lasts. */
const KINDS: ReadonlyMap<string, Receipt['kind']> = new Map([
  ['0', 'delivered'],
  ['2', 'registration-gone'],
  ['5', 'registration-gone'],
  ['6', 'notifications-off'],
  ['201', 'notifications-off'],
]);

const optionalInt = z.int().optional().catch(undefined);
const status = z.union([z.int(), z.string()]).transform(String);

const entrySchema = z
  .looseObject({
    token: z.string().refine((token) => token !== ''),
    biTag: z.string().optional().catch(undefined),
    /** Receipts of version 1. */
    status: status.optional(),
    timestamp: optionalInt,
    /** Receipts of version 2. */
    deliveryStatus: z.looseObject({ result: status, timestamp: optionalInt }).optional(),
  })
  .transform(({ token, biTag, status: result, timestamp, deliveryStatus }) => ({
    token,
    biTag,
    result: deliveryStatus?.result ?? result,
    timestamp: deliveryStatus?.timestamp ?? timestamp,
  }));

const bodySchema = z.looseObject({ statuses: z.array(z.unknown()) });

/** The document of 2019 names the fields `errno` and `errmsg`, later ones `code` and `message`. */
const REPLY = {
  status: 200,
  contentType: 'application/json',
  body: '{"code":"0","message":"success","errno":"0","errmsg":"success"}',
};

export function parseReceipt(raw: RawReceipt, profile: HmsProfile): ReceiptAnswer {
  const signature = authenticate(raw, profile);
  const body = bodySchema.safeParse(vendorJson(raw.body));
  const entries = body.success ? body.data.statuses : [];
  const receipts = entries.flatMap((entry) => receiptOf(entrySchema.safeParse(entry).data));
  return { receipts, reply: REPLY, ...(signature ? { signature } : {}) };
}

function receiptOf(entry: z.infer<typeof entrySchema> | undefined): readonly Receipt[] {
  if (entry?.result === undefined) return [];
  const { token, biTag, result, timestamp } = entry;
  return [
    {
      kind: KINDS.get(result) ?? 'ignored',
      registrationId: token,
      vendorStatus: result,
      ...(biTag ? { pushId: biTag } : {}),
      ...(timestamp === undefined ? {} : { at: timestamp }),
    },
  ];
}

function authenticate({ headers }: RawReceipt, { receiptUser, receiptSecret }: HmsProfile): ReceiptAnswer['signature'] {
  if (receiptUser === undefined || receiptSecret === undefined) return undefined;
  const { timestamp, nonce, value } = signatureParts(headers['x-huawei-callback-id'] ?? '');
  const signed = `${timestamp ?? ''}${nonce ?? ''}${receiptUser}`;
  const given = Buffer.from(value ?? '', 'base64');
  const isRight = keysOf(receiptSecret).some((key) => equal(createHmac('sha256', key).update(signed).digest(), given));
  if (!isRight) throw new ReceiptRefused('the callback is not signed with the receipt secret');
  return { text: signed, at: Number(timestamp) };
}

/** Older vendor configurations sign with the secret's own bytes, newer ones with the bytes that its base64 stands for. */
function keysOf(secret: string): readonly Buffer[] {
  const decoded = Buffer.from(secret, 'base64');
  const isBase64 = decoded.length > 0 && decoded.toString('base64') === secret;
  return [Buffer.from(secret), ...(isBase64 ? [decoded] : [])];
}

const equal = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

/** `timestamp=1; nonce=a; value=b=`: a value may itself contain `=`. */
function signatureParts(header: string): Readonly<Record<string, string | undefined>> {
  const pairs = header.split(';').map((part) => {
    const at = part.indexOf('=');
    return at < 0 ? [part.trim(), ''] : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
  });
  return Object.fromEntries(pairs) as Record<string, string>;
}
