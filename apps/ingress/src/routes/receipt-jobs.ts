import { hash } from 'node:crypto';
import { isCountedReceipt, LIMITS, overLimit, type Receipt } from '@pushfleet/domain';
import { type NewJob, type ReceiptsJob } from '@pushfleet/queues';

/** A job is worked off in one go: others have their turn after as many. */
const PER_JOB = 500;
/** Whatever is listed is parted by commas; the longest entry that a vendor is known to send has eight. */
const COMMAS_PER_ENTRY = 8;
const MAX_STATUS_LENGTH = 32;
const MAX_PUSH_ID_LENGTH = 64;

/** Refuses a body that lists more than it may, before it is parsed: a list of short names is a hundred times as large then. */
export function checkReceiptEntries(body: Buffer): void {
  if (commasIn(body) > COMMAS_PER_ENTRY * LIMITS.receiptEntries.value) throw tooMany();
}

const [COMMA, PERCENT, TWO, SMALL_C, CASE_BIT] = [0x2c, 0x25, 0x32, 0x63, 0x20];

/** Those of a form are written `%2C`. */
function commasIn(body: Buffer): number {
  let commas = 0;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === COMMA || (byte === PERCENT && isOfComma(body, at))) commas += 1;
  }
  return commas;
}

const isOfComma = (body: Buffer, at: number): boolean =>
  body[at + 1] === TWO && ((body[at + 2] ?? 0) | CASE_BIT) === SMALL_C;

/** What a report has room for that a vendor sends of few devices. */
const BYTES_PER_CALLBACK = 4096;

/** How many callbacks a report counts as: what it takes of the process and of Redis grows with it. */
export const callbacksIn = (body: Buffer): number => Math.max(1, Math.ceil(body.length / BYTES_PER_CALLBACK));

const tooMany = () => overLimit('receiptEntries', 'the report lists too many devices:');

/** What of a report changes anything, each once, in jobs of bounded size. */
export function receiptJobs(from: Omit<ReceiptsJob, 'receipts'>, body: string, receipts: readonly Receipt[]) {
  if (receipts.length > LIMITS.receiptEntries.value) throw tooMany();
  const useful = new Map(receipts.filter(isUseful).map((receipt) => [identityOf(receipt), shortened(receipt)]));
  const all = [...useful.values()];
  const digest = hash('sha256', JSON.stringify([from.app, from.channel, body]), 'hex');
  const jobs: NewJob<ReceiptsJob>[] = [];
  // The same report sent twice while the first still waits is the same jobs.
  for (let at = 0; at < all.length; at += PER_JOB)
    jobs.push({ id: `${digest}-${at}`, data: { ...from, receipts: all.slice(at, at + PER_JOB) } });
  return jobs;
}

/** A status that nobody knows changes nothing, nor does what names no push or no device of ours. */
function isUseful({ kind, pushId, registrationId }: Receipt): boolean {
  if (kind === 'ignored' || Buffer.byteLength(registrationId) > LIMITS.registrationIdBytes.value) return false;
  return !isCountedReceipt(kind) || (pushId !== undefined && pushId.length <= MAX_PUSH_ID_LENGTH);
}

const identityOf = ({ kind, pushId, registrationId }: Receipt): string =>
  JSON.stringify([kind, pushId, registrationId]);

function shortened({ pushId, ...receipt }: Receipt): Receipt {
  const isShort = pushId !== undefined && pushId.length <= MAX_PUSH_ID_LENGTH;
  const vendorStatus = receipt.vendorStatus.slice(0, MAX_STATUS_LENGTH);
  return { ...receipt, vendorStatus, ...(isShort ? { pushId } : {}) };
}
