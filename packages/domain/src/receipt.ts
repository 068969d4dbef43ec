/** Reports that a record counts, each once for a device: `lapsed` is of a message that outlived its life at the vendor. */
export const COUNTED_RECEIPTS = ['delivered', 'clicked', 'lapsed'] as const;

export type CountedReceipt = (typeof COUNTED_RECEIPTS)[number];

/** Where vendors report to, as a router has it. */
export const RECEIPT_ROUTE = '/push/v1/callback/:channel/:appId/:profile/:key';

export interface ReceiptAddress {
  readonly app: string;
  readonly channel: string;
  readonly profile: string;
  readonly receiptKey: string;
}

/** The address that a vendor is given for one profile; undefined without a public address of the ingress. */
export function receiptUrl(
  ingressUrl: string | undefined,
  { app, channel, profile, receiptKey }: ReceiptAddress,
): string | undefined {
  if (ingressUrl === undefined) return undefined;
  const values: Readonly<Record<string, string>> = { channel, appId: app, profile, key: receiptKey };
  return ingressUrl.replace(/\/$/, '') + RECEIPT_ROUTE.replace(/:(\w+)/g, (_, name: string) => values[name] ?? '');
}

/** A vendor's later report about one device. Unknown statuses are reported as `ignored` and change nothing. */
export interface Receipt {
  readonly kind: CountedReceipt | 'registration-gone' | 'notifications-off' | 'ignored';
  /** The push id, as it was handed to the vendor with the message; absent when the vendor did not return it. */
  readonly pushId?: string;
  readonly registrationId: string;
  readonly vendorStatus: string;
  /** Milliseconds since the epoch, as the vendor tells it. */
  readonly at?: number;
}

export const isCountedReceipt = (kind: Receipt['kind']): kind is CountedReceipt =>
  (COUNTED_RECEIPTS as readonly string[]).includes(kind);
