import { underOwnNames, type VendorChannel } from '@pushfleet/channel-kit';
import { isJsonObject, receiptChoiceOf, receiptUrl, type JsonObject, type ReceiptAddress } from '@pushfleet/domain';
import type { ProfileNote } from '@pushfleet/store';
import { detailsOf, isSchemaError, readable } from './http/parse';
import { invalidFields, type Detail } from './http/problem';

/** Stands for a secret in every answer; sent back, it means the stored one. */
export const MASK = '***';
/** Stands in the audit log for a secret that is not what it was. */
export const NEW_SECRET = '*** (new)';

/** What became known of a profile, as answers tell it. */
export function notesOf({ lastTest, receiptSeenAt }: ProfileNote): JsonObject {
  return {
    ...(lastTest && { lastTest: { ...lastTest, at: new Date(lastTest.at).toISOString() } }),
    ...(receiptSeenAt !== undefined && { receiptSeenAt: new Date(receiptSeenAt).toISOString() }),
  };
}

/** Those change by themselves: sent back they are no mistake, whatever they are by then. */
const isNote = (field: string): boolean => field === 'lastTest' || field === 'receiptSeenAt';

type Masked = Pick<VendorChannel, 'secretFields'>;

export function maskSecrets({ secretFields }: Masked, value: JsonObject): JsonObject {
  const masked = secretFields.filter((field) => value[field] !== undefined).map((field) => [field, MASK]);
  return { ...value, ...Object.fromEntries(masked) };
}

/** A profile as the audit log may show it, beside the one it replaces. */
export function auditable(channel: Masked, value: JsonObject, before: JsonObject = {}): JsonObject {
  const renewed = channel.secretFields.filter((field) => value[field] !== undefined && value[field] !== before[field]);
  return { ...maskSecrets(channel, value), ...Object.fromEntries(renewed.map((field) => [field, NEW_SECRET])) };
}

export interface SubmittedProfile {
  readonly channel: Masked & Pick<VendorChannel, 'parseProfile' | 'aliases'>;
  readonly input: unknown;
  /** What an answer adds to the profile's own fields; sent back unchanged, it is no mistake. */
  readonly readOnly: JsonObject;
  readonly stored: JsonObject | undefined;
}

/** The profile to store; throws a problem that names every violation. */
export function readProfile({ channel, input, readOnly, stored }: SubmittedProfile): JsonObject {
  if (!isJsonObject(input)) throw invalidFields([{ path: '', message: 'the body must be a JSON object' }]);
  const named = underOwnNames(channel.aliases ?? {}, input) as JsonObject;
  const isSent = ([field, value]: [string, unknown]): boolean => readOnly[field] !== value && !isNote(field);
  const sent = Object.fromEntries(Object.entries(named).filter(isSent));
  const masked = channel.secretFields.filter((field) => sent[field] === MASK);
  const kept = masked.flatMap((field) => (stored?.[field] === undefined ? [] : [[field, stored[field]] as const]));
  const lost = masked.filter((field) => stored?.[field] === undefined);
  const unkept = lost.map((field) => ({ path: field, message: `${MASK} keeps the stored value, and there is none` }));
  return parseAll(channel, { ...sent, ...Object.fromEntries(kept) }, unkept);
}

function parseAll(
  channel: Pick<VendorChannel, 'parseProfile'>,
  value: JsonObject,
  found: readonly Detail[],
): JsonObject {
  try {
    const profile = readable(() => channel.parseProfile(value));
    if (found.length === 0) return profile;
  } catch (error) {
    if (!isSchemaError(error)) throw error;
    throw invalidFields([...found, ...detailsOf(error)]);
  }
  throw invalidFields(found);
}

/** A profile that wants the address in every message is refused when the vendor would refuse the address. */
export function checkReceiptUrl(
  { name, capabilities }: Pick<VendorChannel, 'name' | 'capabilities'>,
  profile: JsonObject,
  receiptUrl: string | undefined,
): void {
  if (receiptChoiceOf(profile) !== 'url' || receiptUrl === undefined) return;
  const bytes = Buffer.byteLength(receiptUrl);
  const most = capabilities.maxReceiptUrlBytes ?? Infinity;
  if (bytes <= most) return;
  const message = `the address has ${bytes} bytes and ${name} takes ${most}: shorten INGRESS_PUBLIC_URL or the names in it`;
  throw invalidFields([{ path: 'receipts', message }]);
}

/** Where the vendor reports to; undefined without a public address or for a vendor that does not report. */
export function receiptUrlOf(
  ingressUrl: string | undefined,
  channel: Pick<VendorChannel, 'capabilities'>,
  address: ReceiptAddress,
): string | undefined {
  return channel.capabilities.receipts ? receiptUrl(ingressUrl, address) : undefined;
}
